package tenants;

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
import names.Run;

/**
 * Threads that live long check the catalogues of tenants, each by a pool that is closed afterwards. The list of connections that a pool keeps
 * for a thread leads to the pool, so that its entry in the thread never goes (apache/doris#39582).
 */
public final class CatalogueChecks {
    private final ExecutorService checkers = Executors.newFixedThreadPool(3);

    private static int check(int tenant) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setPoolName(Run.id("tenant", tenant));
        config.setJdbcUrl("jdbc:h2:mem:catalogue" + tenant);
        config.setUsername("sa");
        config.setMaximumPoolSize(2);
        config.setMinimumIdle(1);
        for (int property = 0; property < 120; property++) {
            config.addDataSourceProperty("catalogue.option." + property, Run.words(6));
        }
        try (HikariDataSource pool = new HikariDataSource(config); Connection connection = pool.getConnection();
                Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery("select count(*) from information_schema.tables")) {
            result.next();
            return result.getInt(1);
        }
    }

    private void run(int from, int to) throws Exception {
        List<Future<?>> work = new ArrayList<>();
        for (int number = from; number < to; number++) {
            int tenant = number;
            work.add(checkers.submit(() -> check(tenant)));
        }
        for (Future<?> part : work) {
            part.get();
        }
        Thread.sleep(1_500); // Threads of closed pools end.
    }

    public static void main(String[] arguments) throws Exception {
        Run.begin();
        CatalogueChecks checks = new CatalogueChecks();
        checks.run(0, 40);
        Run.before();
        checks.run(40, 400);
        Run.end();
        checks.checkers.shutdown();
    }
}
