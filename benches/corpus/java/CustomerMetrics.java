//! A shop with Dropwizard metrics. A timer and a counter are registered for each customer, and none is ever removed.
//! Beside it: the tree of settings of all branches, one large Jackson ObjectNode.
//: jars metrics-core-*.jar jackson-databind.jar jackson-core.jar jackson-annotations.jar slf4j-api.jar slf4j-nop.jar
//: libraries Dropwizard Metrics, Jackson
//: holder MetricRegistry\.metrics|Checkout\.metrics
//: set tuned
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;

public class CustomerMetrics {
    static final int BRANCHES = 900;

    static final class Settings {
        final ObjectNode root = JsonNodeFactory.instance.objectNode();

        Settings() {
            for (int branch = 0; branch < BRANCHES; branch++) {
                ObjectNode node = root.putObject(Corpus.id("branch", branch));
                node.put("name", Corpus.words(2)).put("opened", 1990 + branch % 36).put("express", branch % 2 == 0);
                ArrayNode offers = node.putArray("offers");
                for (int offer = 0; offer < 110; offer++) {
                    ObjectNode one = offers.addObject();
                    one.put("sku", Corpus.id("sku", Corpus.RANDOM.nextInt(90_000)));
                    one.put("label", Corpus.words(3));
                    one.put("percent", 5 + offer % 40);
                }
            }
        }

        int discount(int branch, int offer) {
            return root.get(Corpus.id("branch", branch)).get("offers").get(offer).get("percent").asInt();
        }
    }

    static final class Basket {
        final String customer;
        final Map<String, Integer> items = new HashMap<>();

        Basket(String customer) {
            this.customer = customer;
        }
    }

    static final class Checkout {
        private final MetricRegistry metrics = new MetricRegistry();
        private final Settings settings;
        private final Timer all;

        Checkout(Settings settings) {
            this.settings = settings;
            all = metrics.timer("checkout.all");
        }

        void buy(Basket basket, int branch) {
            Timer timer = metrics.timer(MetricRegistry.name("checkout", basket.customer, "latency"));
            try (Timer.Context total = all.time(); Timer.Context own = timer.time()) {
                int percent = 0;
                for (String item : basket.items.keySet()) {
                    percent += settings.discount(branch, Math.floorMod(item.hashCode(), 110));
                }
                metrics.counter(MetricRegistry.name("checkout", basket.customer, "discount")).inc(percent);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Checkout checkout = new Checkout(new Settings());
        Corpus.twice(arguments, 3_200, (from, to) -> {
            for (int customer = from; customer < to; customer++) {
                Basket basket = new Basket(Corpus.id("customer", customer));
                for (int item = 0; item < 3; item++) {
                    basket.items.put(Corpus.words(2), 1 + item);
                }
                for (int visit = 0; visit < 4; visit++) {
                    checkout.buy(basket, Corpus.RANDOM.nextInt(BRANCHES));
                }
            }
        });
    }
}
