//! Healthy: exchange rates. A Caffeine cache of conversions has a greatest size and is full; its keys are new with each request.
//! The history of rates was loaded at start.
//: jars caffeine.jar
//: libraries Caffeine
//: own Exchange\.(conversions|history)|BoundedLocalCache
//: set tuned
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Map;
import java.util.TreeMap;

public class HealthyExchangeRates {
    record Rate(String pair, double bid, double ask, long day) {}

    record Conversion(String amount, String from, String to, String result) {}

    static final class Exchange {
        final Map<String, Rate> history = new TreeMap<>();
        final Cache<String, Conversion> conversions = Caffeine.newBuilder().maximumSize(5_000).executor(Runnable::run).build();

        Exchange() {
            for (int day = 0; day < 50_000; day++) {
                String pair = "EUR" + (char) ('A' + day % 26) + (char) ('A' + day % 7) + "X";
                history.put(pair + "/" + day, new Rate(pair, Corpus.RANDOM.nextDouble(), Corpus.RANDOM.nextDouble(), day));
            }
        }

        Conversion convert(int request) {
            String amount = Corpus.RANDOM.nextInt(1_000_000) + "." + request % 100;
            return conversions.get(amount + "/" + request, key -> new Conversion(amount, "EUR", Corpus.words(1), Corpus.words(5)));
        }
    }

    public static void main(String[] arguments) throws Exception {
        Exchange exchange = new Exchange();
        Corpus.twice(arguments, 80_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                exchange.convert(request);
            }
        });
    }
}
