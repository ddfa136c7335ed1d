//! Prices of a wholesaler, from H2 through C3P0. Its statement cache is set very high, and each query has the customer in its text.
//! Beside it: the price matrix of the articles in the program, and the tables of the database.
//: jars c3p0.jar h2.jar
//: libraries C3P0, H2
//: holder GooGooStatementCache\.(stmtToKey|keyToKeyRec)|StatementCache|scache
//: set tuned
//: leak 5.1
import com.mchange.v2.c3p0.ComboPooledDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

public class PricingStatements {
    static final class PriceMatrix {
        final Map<String, double[]> byArticle = new HashMap<>();

        PriceMatrix() {
            for (int article = 0; article < 26_000; article++) {
                double[] prices = new double[80];
                for (int group = 0; group < prices.length; group++) {
                    prices[group] = 1 + Corpus.RANDOM.nextInt(5_000) / 100.0;
                }
                byArticle.put(Corpus.id("article", article), prices);
            }
        }
    }

    static final class CustomerStore {
        final ComboPooledDataSource pool = new ComboPooledDataSource("customers");

        CustomerStore() throws Exception {
            pool.setDriverClass("org.h2.Driver");
            pool.setJdbcUrl("jdbc:h2:mem:customers;DB_CLOSE_DELAY=-1");
            pool.setUser("sa");
            pool.setPassword("");
            pool.setMinPoolSize(2);
            pool.setInitialPoolSize(2);
            pool.setMaxPoolSize(2);
            // Meant as "enough for all statements". The texts of the queries have no end.
            pool.setMaxStatements(50_000);
            try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement()) {
                statement.execute("create table customer(number varchar(20) primary key, name varchar(80), "
                        + "discount int, rating varchar(40))");
                for (int number = 0; number < 3_000; number++) {
                    statement.execute("insert into customer values ('" + Corpus.id("customer", number) + "', '" + Corpus.words(2) + "', "
                            + number % 30 + ", '" + Corpus.words(1) + "')");
                }
            }
        }

        int discount(String customer) throws Exception {
            String text = "select c.discount from customer c where c.number = '" + customer + "' and c.rating <> ?";
            try (Connection connection = pool.getConnection(); PreparedStatement statement = connection.prepareStatement(text)) {
                statement.setString(1, "blocked");
                try (ResultSet rows = statement.executeQuery()) {
                    return rows.next() ? rows.getInt(1) : 0;
                }
            }
        }
    }

    static final class Pricing {
        final PriceMatrix matrix = new PriceMatrix();
        final CustomerStore customers = new CustomerStore();
        double quoted;

        Pricing() throws Exception {}

        void quote(int request) throws Exception {
            int discount = customers.discount(Corpus.id("customer", request));
            double[] prices = matrix.byArticle.get(Corpus.id("article", Corpus.RANDOM.nextInt(26_000)));
            quoted += prices[request % prices.length] * (100 - discount) / 100;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Pricing pricing = new Pricing();
        Corpus.twice(arguments, 500, (from, to) -> {
            for (int request = from; request < to; request++) {
                pricing.quote(request);
            }
        });
    }
}
