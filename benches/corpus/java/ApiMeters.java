//! An interface for partners counts and times its requests. Meters are told apart by tags, and one tag is the path with the number of the order: a meter for
//! each order ever asked. Beside it: the partners with their contracts, and orders, which leave when they are delivered.
//: jars
//: libraries JDK
//: holder MeterRegistry\.metersById
//: set tuned
//: leak 6.5
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

public class ApiMeters {
    record Tag(String key, String value) {}

    record MeterId(String name, List<Tag> tags) {}

    static final class RequestTimer {
        final LongAdder count = new LongAdder();
        final DoubleAdder seconds = new DoubleAdder();
        final long[] buckets = new long[12];

        void record(double time) {
            count.increment();
            seconds.add(time);
            buckets[(int) Math.min(time * 12, 11)]++;
        }
    }

    static final class MeterRegistry {
        private final ConcurrentHashMap<MeterId, RequestTimer> metersById = new ConcurrentHashMap<>();

        RequestTimer timer(String name, Tag... tags) {
            return metersById.computeIfAbsent(new MeterId(name, List.of(tags)), id -> new RequestTimer());
        }
    }

    static final class Partner {
        final String name = Corpus.words(2);
        final Map<String, String> contract = new HashMap<>();

        Partner() {
            for (String key : "currency terms discount delivery".split(" ")) {
                contract.put(key, Corpus.words(3));
            }
        }
    }

    record Order(Partner partner, String goods, int pieces) {}

    static final class Interface {
        private final MeterRegistry meters = new MeterRegistry();
        private final Partner[] partners = new Partner[9_000];
        private final Map<Integer, Order> orders = new HashMap<>();

        Interface() {
            java.util.Arrays.setAll(partners, number -> new Partner());
        }

        void request(int number) {
            int order = number / 3;
            String method = List.of("POST", "GET", "PUT").get(number % 3);
            if (number % 3 == 0) {
                orders.put(order, new Order(partners[Corpus.RANDOM.nextInt(partners.length)], Corpus.words(5), 1 + number % 40));
                orders.remove(order - 700);
            }
            meters.timer("http.requests", new Tag("method", method), new Tag("path", "/partners/orders/" + (400_000 + order)), new Tag("status", "200"))
                    .record(Corpus.RANDOM.nextDouble());
        }
    }

    public static void main(String[] arguments) throws Exception {
        Interface partners = new Interface();
        Corpus.twice(arguments, 5_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                partners.request(number);
            }
        });
    }
}
