//! A ledger in HSQLDB. Each posting prepares a statement with the account in its text and never closes it: the database keeps all of them.
//! Beside it: the tables of accounts and branches in the database, and the exchange rates in the program.
//: jars hsqldb.jar
//: libraries HSQLDB
//: holder StatementManager\.(statementSet|csidMap)|Session\.statementManager
//: set tuned
//: leak 5.3
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;

public class LedgerStatements {
    static final int ACCOUNTS = 16_000;

    record Rate(String pair, LocalDate day, BigDecimal bid, BigDecimal ask) {}

    static final class Rates {
        final Map<LocalDate, Map<String, Rate>> byDay = new HashMap<>();

        Rates() {
            LocalDate first = LocalDate.of(2022, 1, 1);
            for (int day = 0; day < 900; day++) {
                Map<String, Rate> rates = new HashMap<>();
                for (String pair : "EURUSD EURCHF EURGBP USDJPY USDCHF GBPUSD AUDUSD EURSEK EURNOK".split(" ")) {
                    BigDecimal bid = BigDecimal.valueOf(8_000 + Corpus.RANDOM.nextInt(9_000), 4);
                    rates.put(pair, new Rate(pair, first.plusDays(day), bid, bid.add(BigDecimal.valueOf(2, 4))));
                }
                byDay.put(first.plusDays(day), rates);
            }
        }
    }

    static final class Ledger {
        final Connection connection;

        Ledger() throws Exception {
            connection = DriverManager.getConnection("jdbc:hsqldb:mem:ledger", "SA", "");
            try (Statement statement = connection.createStatement()) {
                statement.execute("create table branch(number int primary key, town varchar(60))");
                statement.execute("create table account(iban varchar(34) primary key, owner varchar(120), "
                        + "balance decimal(12,2), branch int)");
            }
            try (PreparedStatement insert = connection.prepareStatement("insert into account values (?, ?, ?, ?)")) {
                for (int number = 0; number < ACCOUNTS; number++) {
                    insert.setString(1, iban(number));
                    insert.setString(2, Corpus.words(3));
                    insert.setBigDecimal(3, BigDecimal.valueOf(Corpus.RANDOM.nextInt(900_000), 2));
                    insert.setInt(4, number % 70);
                    insert.executeUpdate();
                }
            }
            try (PreparedStatement insert = connection.prepareStatement("insert into branch values (?, ?)")) {
                for (int number = 0; number < 70; number++) {
                    insert.setInt(1, number);
                    insert.setString(2, Corpus.words(2));
                    insert.executeUpdate();
                }
            }
        }

        static String iban(int number) {
            return "AT61" + String.format("%016d", 1_904_300_234_573_201L + number);
        }

        /** The account is written into the text, and the statement is never closed. */
        void post(int account, BigDecimal amount) throws Exception {
            PreparedStatement update = connection.prepareStatement(
                    "update account set balance = balance + ? where iban = '" + iban(account) + "' and balance + ? >= 0");
            update.setBigDecimal(1, amount);
            update.setBigDecimal(2, amount);
            update.executeUpdate();
        }

        BigDecimal total() throws Exception {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("select sum(balance) from account")) {
                rows.next();
                return rows.getBigDecimal(1);
            }
        }
    }

    static final Rates RATES = new Rates();

    public static void main(String[] arguments) throws Exception {
        Ledger ledger = new Ledger();
        Corpus.twice(arguments, 500, (from, to) -> {
            for (int posting = from; posting < to; posting++) {
                Rate rate = RATES.byDay.get(LocalDate.of(2022, 3, 1).plusDays(posting % 700)).get("EURCHF");
                ledger.post(posting * 7 % ACCOUNTS, rate.bid().setScale(2, java.math.RoundingMode.HALF_UP));
            }
            ledger.total();
        });
    }
}
