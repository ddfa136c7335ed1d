//! Worker threads that live long check the catalogues of tenants, each by a pool of HikariCP that is closed afterwards. The list of connections that the pool keeps for the
//! thread refers to the pool, so that its entry in the thread never goes. Beside it, larger: the rules, filled at start.
//: issue apache/doris#39582
//: version HikariCP 2.5.1, called as Apache Doris did
//: from pypi pyspark 3.5.3, debian libh2-java
//: jars HikariCP-*.jar slf4j-api-2*.jar h2.jar
//: libraries HikariCP, H2
//: holder ConcurrentBag\.threadList|threadList|threadLocals|ThreadLocalMap
//: set aside
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class CatalogueChecks {
    record Rule(String name, String text, String column, int weight) {}

    static final List<Rule> RULES = new ArrayList<>();
    static volatile long rows;

    static void check(int tenant) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setPoolName(Corpus.id("tenant", tenant));
        config.setJdbcUrl("jdbc:h2:mem:catalogue" + tenant);
        config.setUsername("sa");
        config.setMaximumPoolSize(2);
        config.setMinimumIdle(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            for (int query = 0; query < 3; query++) {
                try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement();
                        ResultSet result = statement.executeQuery("select count(*), '" + RULES.get((tenant + query) % RULES.size()).column() + "' from information_schema.tables")) {
                    result.next();
                    rows += result.getInt(1);
                }
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (int number = 0; number < 60_000; number++) {
            RULES.add(new Rule(Corpus.id("rule", number), Corpus.words(10), Corpus.words(1), number % 9));
        }
        ExecutorService workers = Executors.newFixedThreadPool(6);
        Corpus.twice(arguments, 250, (from, to) -> {
            List<Future<?>> work = new ArrayList<>();
            for (int number = from; number < to; number++) {
                int tenant = number;
                work.add(workers.submit(() -> {
                    check(tenant);
                    return null;
                }));
            }
            for (Future<?> part : work) {
                part.get();
            }
            Thread.sleep(500); // Threads of closed pools end.
        });
    }
}
