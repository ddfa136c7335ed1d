//! A payment service receives webhooks on many threads and ignores those that it knows already: the identifiers of all events ever received stay in a set. Beside it, much
//! larger: the merchants, read at start, and the last payments in a Caffeine cache that is at its bound.
//: jars caffeine.jar
//: libraries JDK, Caffeine
//: holder WebhookInbox\.received
//: set aside
//: leak 42.8
//: heap 1g
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

public class PaymentWebhooks {
    record Merchant(String id, String name, String address, String city, List<String> methods, String terms, double fee) {}

    record Payment(String id, Merchant merchant, long cents, String currency, String reference, Map<String, String> details) {}

    record Event(String id, String kind, String body) {}

    /** Takes each event once, however often it is delivered. */
    static final class WebhookInbox {
        private final Set<String> received = ConcurrentHashMap.newKeySet();
        private final Cache<String, Payment> recent = Caffeine.newBuilder().maximumSize(50_000).executor(Runnable::run).build();
        private final Map<String, Merchant> merchants = new HashMap<>();
        private final LongAdder turnover = new LongAdder();

        WebhookInbox(int count) {
            for (int number = 0; number < count; number++) {
                String id = Corpus.id("merchant", number);
                merchants.put(id, new Merchant(id, Corpus.words(3), Corpus.words(4) + " " + number % 120, Corpus.words(1),
                        List.of(Corpus.words(1), Corpus.words(1), Corpus.words(1)), Corpus.words(40), number % 30 / 10.0));
            }
        }

        void deliver(Event event) {
            if (!received.add(event.id)) {
                return;
            }
            Map<String, String> details = new HashMap<>();
            for (String pair : event.body.split("&")) {
                int middle = pair.indexOf('=');
                details.put(pair.substring(0, middle), pair.substring(middle + 1));
            }
            long cents = Long.parseLong(details.remove("cents"));
            recent.put(details.get("payment"), new Payment(details.remove("payment"), merchants.get(details.remove("merchant")), cents, "EUR", event.kind, details));
            turnover.add(cents);
        }
    }

    private static Event event(int number, int merchants) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        String id = "evt_" + Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong()) + "_" + Corpus.id("payment", number);
        String body = "payment=" + Corpus.id("payment", number) + "&merchant=" + Corpus.id("merchant", random.nextInt(merchants)) + "&cents="
                + (100 + random.nextInt(90_000)) + "&customer=" + Corpus.words(2) + "&text=" + Corpus.words(5);
        return new Event(id, random.nextInt(8) == 0 ? "payment.refunded" : "payment.succeeded", body);
    }

    public static void main(String[] arguments) throws Exception {
        int merchants = 170_000;
        WebhookInbox inbox = new WebhookInbox(merchants);
        ExecutorService threads = Executors.newFixedThreadPool(12);
        Corpus.twice(arguments, 120_000, (from, to) -> {
            List<Future<?>> work = new ArrayList<>();
            for (int start = from; start < to; start += 500) {
                int first = start;
                work.add(threads.submit(() -> {
                    for (int number = first; number < Math.min(first + 500, to); number++) {
                        Event event = event(number, merchants);
                        inbox.deliver(event);
                        // One in ten is delivered again.
                        if (number % 10 == 0) {
                            inbox.deliver(event);
                        }
                    }
                }));
            }
            for (Future<?> part : work) {
                part.get();
            }
        });
    }
}
