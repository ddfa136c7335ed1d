//! Healthy: an observatory. Timers of Dropwizard Metrics have reservoirs that are full before the first dump, pictures are in an LRUMap of Commons
//! Collections at its bound, and alarms in an EvictingQueue of Guava. Stars were loaded at start.
//: jars metrics-core-*.jar guava.jar commons-collections4-*.jar slf4j-api.jar slf4j-nop.jar
//: libraries Dropwizard Metrics, Commons Collections, Guava
//: own Catalogue\.stars|Observatory\.(pictures|alarms|names)|MetricRegistry\.metrics|Observatory\.metrics|LRUMap
//: set tuned
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import com.google.common.collect.EvictingQueue;
import com.google.common.collect.Interner;
import com.google.common.collect.Interners;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.commons.collections4.map.LRUMap;

public class HealthyTelescopes {
    static final int STARS = 40_000;
    static final int TELESCOPES = 12;

    record Star(String name, double ascension, double declination, double magnitude, List<String> notes) {}

    record Picture(String star, String telescope, byte[] pixels, Map<String, String> header) {}

    record Alarm(String telescope, long at, String text) {}

    static final class Catalogue {
        final TreeMap<String, Star> stars = new TreeMap<>();

        Catalogue() {
            for (int number = 0; number < STARS; number++) {
                stars.put(Corpus.id("star", number), new Star(Corpus.id("star", number), Corpus.RANDOM.nextDouble() * 24,
                        Corpus.RANDOM.nextDouble() * 180 - 90, Corpus.RANDOM.nextDouble() * 12, List.of(Corpus.words(5), Corpus.words(3))));
            }
        }
    }

    static final class Observatory {
        private final Catalogue catalogue = new Catalogue();
        private final MetricRegistry metrics = new MetricRegistry();
        private final Map<String, Picture> pictures = Collections.synchronizedMap(new LRUMap<>(2_000));
        private final EvictingQueue<Alarm> alarms = EvictingQueue.create(1_500);
        private final Interner<String> names = Interners.newWeakInterner();

        void observe(int number) {
            String telescope = names.intern("telescope " + number % TELESCOPES);
            Star star = catalogue.stars.get(Corpus.id("star", Corpus.RANDOM.nextInt(STARS)));
            Timer timer = metrics.timer(MetricRegistry.name("exposure", telescope));
            byte[] pixels = new byte[1_500];
            Corpus.RANDOM.nextBytes(pixels);
            pictures.put(Corpus.id("picture", number), new Picture(star.name(), telescope, pixels,
                    Map.of("filter", Corpus.words(1), "observer", Corpus.words(2), "programme", names.intern(Corpus.words(2)))));
            timer.update(10 + Corpus.RANDOM.nextInt(600), TimeUnit.SECONDS);
            metrics.counter("pictures").inc();
            if (star.magnitude() > 11) {
                alarms.add(new Alarm(telescope, 1_795_500_000L + number, Corpus.words(9)));
            }
        }
    }

    static final Observatory OBSERVATORY = new Observatory();

    public static void main(String[] arguments) throws Exception {
        // More than 1,028 exposures for each telescope fill the reservoirs.
        for (int number = 0; number < 24_000; number++) {
            OBSERVATORY.observe(number);
        }
        Corpus.twice(arguments, 6_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                OBSERVATORY.observe(24_000 + number);
            }
        });
    }
}
