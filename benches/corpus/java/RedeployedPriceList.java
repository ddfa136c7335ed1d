//! A web application is redeployed; a thread local of it stays in a thread of the shared pool, so each old class loader stays
//! with its price list. The archive of the host program is large and legitimate.
//: jars tomcat10-embed-core.jar
//: libraries Tomcat
//: holder threadLocals|ThreadLocalMap|PriceContext\.CURRENT
//: set tuned
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.SimpleInstanceManager;
import org.apache.tomcat.util.threads.TaskThreadFactory;

/** A server of a wholesale shop. The application with the prices is deployed anew with each price list. */
public class RedeployedPriceList {
    record Receipt(String number, String customer, String goods, BigDecimal sum) {}

    /** One thread for the jobs of all applications. */
    public static final ExecutorService JOBS = Executors.newSingleThreadExecutor(new TaskThreadFactory("shared-jobs-", true, Thread.NORM_PRIORITY));
    static final List<Receipt> ARCHIVE = new ArrayList<>();

    /** Puts the classes of the application where the server expects them. */
    static Path application(Path folder) throws Exception {
        Path classes = Files.createDirectories(folder.resolve("WEB-INF/classes"));
        for (Class<?> type : new Class<?>[] {PriceLoader.class, PriceList.class, Price.class, PriceContext.class}) {
            String file = type.getName() + ".class";
            try (InputStream from = type.getClassLoader().getResourceAsStream(file)) {
                Files.write(classes.resolve(file), from.readAllBytes());
            }
        }
        StringBuilder prices = new StringBuilder();
        for (int number = 0; number < 2_000; number++) {
            prices.append(Corpus.id("article", number)).append(';').append(Corpus.words(4)).append(';').append(Corpus.RANDOM.nextInt(500)).append(".95\n");
        }
        Files.writeString(folder.resolve("prices.csv"), prices);
        return folder;
    }

    static StandardContext deploy(Tomcat tomcat, Path application) {
        StandardContext context = new StandardContext();
        context.setPath("/prices");
        context.setDocBase(application.toString());
        context.setInstanceManager(new SimpleInstanceManager());
        context.addLifecycleListener(event -> context.setConfigured(true));
        context.addApplicationListener(PriceLoader.class.getName());
        tomcat.getHost().addChild(context); // Starts it; throws when that fails.
        return context;
    }

    /** The application: this class and those below are loaded by its own loader. */
    public static class PriceLoader implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            try (InputStream file = event.getServletContext().getResourceAsStream("/prices.csv")) {
                PriceList.load(new String(file.readAllBytes(), StandardCharsets.UTF_8));
                PriceContext.set("EUR");
            } catch (Exception error) {
                throw new IllegalStateException(error);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (int number = 0; number < 60_000; number++) {
            ARCHIVE.add(new Receipt(Corpus.id("receipt", number), Corpus.words(2), Corpus.words(8),
                    BigDecimal.valueOf(Corpus.RANDOM.nextInt(90_000), 2)));
        }
        JOBS.submit(() -> { }).get();
        Path base = Path.of(arguments[0]).toAbsolutePath().resolveSibling("base");
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(base.toString());
        tomcat.getHost();
        tomcat.start();
        Path application = application(base.resolve("prices"));
        Corpus.twice(arguments, 12, (from, to) -> {
            for (int number = from; number < to; number++) {
                tomcat.getHost().removeChild(deploy(tomcat, application));
            }
        });
    }
}

record Price(String article, String name, BigDecimal amount) {}

class PriceList {
    static final Map<String, Price> BY_ARTICLE = new HashMap<>();

    static void load(String csv) {
        csv.lines().map(line -> line.split(";")).forEach(part -> BY_ARTICLE.put(part[0], new Price(part[0], part[1], new BigDecimal(part[2]))));
    }
}

record PriceContext(String currency, int articles) {
    static final ThreadLocal<PriceContext> CURRENT = new ThreadLocal<>();

    static void set(String currency) throws Exception {
        RedeployedPriceList.JOBS.submit(() -> CURRENT.set(new PriceContext(currency, PriceList.BY_ARTICLE.size()))).get();
    }
}
