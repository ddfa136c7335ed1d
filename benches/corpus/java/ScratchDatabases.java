//! Reports of an energy supplier. Each report fills a scratch database of H2 in memory that stays open after its last connection.
//! Beside it: the tariffs and the load profiles of the grid, read at start.
//: jars h2.jar
//: libraries H2
//: holder Engine\.DATABASES
//: set tuned
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public class ScratchDatabases {
    record Tariff(String code, String name, double price, String terms) {}

    record Profile(String meter, float[] quarters) {}

    static final class Grid {
        final Map<String, Tariff> tariffs = new TreeMap<>();
        final List<Profile> profiles = new ArrayList<>();

        Grid() {
            for (int number = 0; number < 4_000; number++) {
                String code = Corpus.id("tariff", number);
                tariffs.put(code, new Tariff(code, Corpus.words(2), 20 + number % 17, Corpus.words(40)));
            }
            for (int meter = 0; meter < 26_000; meter++) {
                float[] quarters = new float[96];
                for (int at = 0; at < quarters.length; at++) {
                    quarters[at] = Corpus.RANDOM.nextFloat();
                }
                profiles.add(new Profile(Corpus.id("meter", meter), quarters));
            }
        }
    }

    static final class Report {
        final int number;

        Report(int number) {
            this.number = number;
        }

        /** The delay of -1 keeps the database while the report opens and closes connections. Nobody shuts it down. */
        Connection open() throws Exception {
            return DriverManager.getConnection("jdbc:h2:mem:report_" + number + ";DB_CLOSE_DELAY=-1");
        }

        void fill(List<Profile> profiles) throws Exception {
            try (Connection connection = open(); Statement statement = connection.createStatement()) {
                statement.execute("create table load(meter varchar(20), quarter int, kwh real)");
                statement.execute("create index by_quarter on load(quarter)");
                try (PreparedStatement insert = connection.prepareStatement("insert into load values (?, ?, ?)")) {
                    for (Profile profile : profiles) {
                        for (int quarter = 0; quarter < 96; quarter += 12) {
                            insert.setString(1, profile.meter());
                            insert.setInt(2, quarter);
                            insert.setFloat(3, profile.quarters()[quarter]);
                            insert.executeUpdate();
                        }
                    }
                }
            }
        }

        double peak() throws Exception {
            try (Connection connection = open();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(
                            "select max(total) from (select sum(kwh) total from load group by quarter) t")) {
                rows.next();
                return rows.getDouble(1);
            }
        }
    }

    static final Grid GRID = new Grid();
    static double highest;

    public static void main(String[] arguments) throws Exception {
        Corpus.twice(arguments, 9, (from, to) -> {
            for (int number = from; number < to; number++) {
                Report report = new Report(number);
                report.fill(GRID.profiles.subList(number * 40, number * 40 + 80));
                highest = Math.max(highest, report.peak());
            }
        });
    }
}
