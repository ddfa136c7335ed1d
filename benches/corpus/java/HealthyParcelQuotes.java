//! Healthy: quotes for parcels. A Guava cache of quotes is at its greatest size and has been replaced many times; requests nearly never repeat.
//! The zones of the carrier were loaded at start.
//: jars guava.jar
//: libraries Guava
//: own Quotes\.recent|Carrier\.zones
//: set tuned
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import java.util.ArrayList;
import java.util.List;

public class HealthyParcelQuotes {
    record Zone(String prefix, String name, double[] prices) {}

    record Request(String from, String to, int grams) {}

    static final class Quote {
        final Zone zone;
        final double price;
        final String text;

        Quote(Zone zone, Request request) {
            this.zone = zone;
            this.price = zone.prices()[request.grams() % zone.prices().length];
            this.text = "From " + request.from() + " to " + request.to() + " for " + price + " EUR by " + Corpus.words(2);
        }
    }

    static final class Carrier {
        final List<Zone> zones = new ArrayList<>();

        Carrier() {
            for (int number = 0; number < 30_000; number++) {
                zones.add(new Zone(String.valueOf(10_000 + number), Corpus.words(2), Corpus.RANDOM.doubles(20, 3, 40).toArray()));
            }
        }
    }

    static final class Quotes {
        final Carrier carrier = new Carrier();
        final LoadingCache<Request, Quote> recent = CacheBuilder.newBuilder().maximumSize(6_000).recordStats().build(new CacheLoader<>() {
            @Override
            public Quote load(Request request) {
                return new Quote(carrier.zones.get(request.grams() * 7 % carrier.zones.size()), request);
            }
        });
    }

    static Quotes quotes;

    public static void main(String[] arguments) throws Exception {
        quotes = new Quotes();
        Corpus.twice(arguments, 60_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                quotes.recent.get(new Request(Corpus.id("depot", number % 90), Corpus.words(1) + " " + number, 200 + number % 9_000));
            }
        });
    }
}
