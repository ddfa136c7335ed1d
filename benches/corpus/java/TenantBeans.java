//! A service for many tenants registers a bean of JMX for the queue of each tenant that signs in, and registers none off. Beside it: the articles that all
//! tenants sell, and the tenants that are signed in.
//: jars
//: libraries JMX
//: holder Repository\.domainTb|MBeanServer\.(mbsInterceptor|repository)|platformMBeanServer|DefaultMBeanServerInterceptor\.repository
//: set tuned
//: leak 5.1
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.management.ObjectName;

public class TenantBeans {
    public interface SalesQueueMBean {
        int getDepth();

        String getNewest();
    }

    public static final class SalesQueue implements SalesQueueMBean {
        private final List<String> sales = new ArrayList<>();

        void add(String sale) {
            sales.add(sale);
            if (sales.size() > 12) {
                sales.remove(0);
            }
        }

        @Override
        public int getDepth() {
            return sales.size();
        }

        @Override
        public String getNewest() {
            return sales.isEmpty() ? "" : sales.get(sales.size() - 1);
        }
    }

    record Article(String number, String title, String text, Map<String, Integer> prices) {}

    static final class Market {
        private final Map<String, Article> articles = new HashMap<>();
        private final Map<String, SalesQueue> signedIn = new LinkedHashMap<>();

        Market() {
            for (int number = 0; number < 13_000; number++) {
                String code = Corpus.id("article", number);
                articles.put(code, new Article(code, Corpus.words(4), Corpus.words(15), Map.of("AT", number, "DE", number + 3)));
            }
        }

        void sign(int request) throws Exception {
            String tenant = Corpus.id("tenant", request);
            SalesQueue queue = new SalesQueue();
            ManagementFactory.getPlatformMBeanServer().registerMBean(queue, new ObjectName("market:type=SalesQueue,tenant=" + tenant));
            signedIn.put(tenant, queue);
            for (int sale = 0; sale < 14; sale++) {
                queue.add(articles.get(Corpus.id("article", Corpus.RANDOM.nextInt(13_000))).title() + " for " + Corpus.words(3));
            }
            if (signedIn.size() > 60) {
                signedIn.remove(signedIn.keySet().iterator().next());
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Market market = new Market();
        Corpus.twice(arguments, 1_200, (from, to) -> {
            for (int request = from; request < to; request++) {
                market.sign(request);
            }
        });
    }
}
