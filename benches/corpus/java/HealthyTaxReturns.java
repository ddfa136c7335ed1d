//! Healthy: tax returns in H2 by HikariCP. Each connection of the pool keeps its last prepared statements, up to a limit which is reached; the rates
//! were loaded at start, and the tables of the database are in memory.
//: jars HikariCP.jar h2.jar slf4j-api.jar slf4j-nop.jar
//: libraries HikariCP, H2
//: own Offices\.(pool|statements|rates)|org\.h2|StatementCache|HikariPool
//: set tuned
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.WeakHashMap;

public class HealthyTaxReturns {
    static final class StatementCache extends LinkedHashMap<String, PreparedStatement> {
        private final Connection connection;

        StatementCache(Connection connection) {
            super(64, 0.75f, true);
            this.connection = connection;
        }

        PreparedStatement prepare(String sql) throws SQLException {
            PreparedStatement statement = get(sql);
            if (statement == null) {
                statement = connection.prepareStatement(sql);
                put(sql, statement);
                if (size() > 60) {
                    Map.Entry<String, PreparedStatement> eldest = entrySet().iterator().next();
                    remove(eldest.getKey());
                    eldest.getValue().close();
                }
            }
            return statement;
        }
    }

    static final class Offices {
        final Map<String, double[]> rates = new HashMap<>();
        final Map<Connection, StatementCache> statements = new WeakHashMap<>();
        final HikariDataSource pool;

        Offices() throws SQLException {
            HikariConfig configuration = new HikariConfig();
            configuration.setJdbcUrl("jdbc:h2:mem:tax;DB_CLOSE_DELAY=-1");
            configuration.setMaximumPoolSize(12);
            configuration.setMinimumIdle(12);
            pool = new HikariDataSource(configuration);
            for (int number = 0; number < 24_000; number++) {
                rates.put(Corpus.id("place", number), Corpus.RANDOM.doubles(25).toArray());
            }
            try (Connection connection = pool.getConnection()) {
                connection.createStatement().execute("CREATE TABLE returns (id INT PRIMARY KEY, person VARCHAR(80), amount DOUBLE)");
                PreparedStatement insert = connection.prepareStatement("INSERT INTO returns VALUES (?, ?, ?)");
                for (int id = 0; id < 8_000; id++) {
                    insert.setInt(1, id);
                    insert.setString(2, Corpus.words(3));
                    insert.setDouble(3, id * 1.1);
                    insert.executeUpdate();
                }
            }
        }

        void report(int request) throws SQLException {
            try (Connection pooled = pool.getConnection()) {
                Connection connection = pooled.unwrap(Connection.class);
                StatementCache cache = statements.computeIfAbsent(connection, StatementCache::new);
                PreparedStatement statement = cache.prepare("SELECT person, amount FROM returns WHERE id = ? AND amount > " + request % 900);
                statement.setInt(1, request % 8_000);
                try (ResultSet rows = statement.executeQuery()) {
                    rows.next();
                }
            }
        }
    }

    static Offices offices;

    public static void main(String[] arguments) throws Exception {
        offices = new Offices();
        Corpus.twice(arguments, 6_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                offices.report(request);
            }
        });
    }
}
