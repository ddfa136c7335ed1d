//! Healthy: passes of visitors of a factory, in a Guava cache whose entries expire a time after their last use. As many expire as come. The register of gates was loaded at
//! start.
//: jars guava.jar
//: libraries Guava
//: own PassDesk\.(passes|gates)|LocalCache|LocalManualCache
//: set aside
import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

public class HealthyVisitorPasses {
    record Gate(String code, String hall, List<String> rules, int[] opens) {}

    record Pass(String number, String visitor, String company, Gate gate, List<String> marks) {}

    /** The time of the program moves with the requests. */
    static final class Clock extends Ticker {
        final AtomicLong seconds = new AtomicLong();

        @Override
        public long read() {
            return TimeUnit.SECONDS.toNanos(seconds.get());
        }
    }

    static final class PassDesk {
        final Clock clock = new Clock();
        final Map<String, Gate> gates = new TreeMap<>();
        final Cache<String, Pass> passes = CacheBuilder.newBuilder().ticker(clock).expireAfterAccess(9_000, TimeUnit.SECONDS).concurrencyLevel(4).build();

        PassDesk() {
            for (int number = 0; number < 14_000; number++) {
                String code = Corpus.id("gate", number);
                gates.put(code, new Gate(code, Corpus.words(2), List.of(Corpus.words(6), Corpus.words(5)), new int[14]));
            }
        }

        void visit(int number) {
            clock.seconds.incrementAndGet();
            Gate gate = gates.get(Corpus.id("gate", number * 31 % 14_000));
            List<String> marks = new ArrayList<>(List.of(Corpus.words(2), Corpus.words(3)));
            passes.put(Corpus.id("pass", number), new Pass(Corpus.id("pass", number), Corpus.words(2), Corpus.words(3), gate, marks));
            Pass earlier = passes.getIfPresent(Corpus.id("pass", number - number % 700));
            if (earlier != null) {
                gate.opens[number % 14]++;
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        PassDesk desk = new PassDesk();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        Corpus.twice(arguments, 45_000, (from, to) -> {
            List<Future<?>> work = new ArrayList<>();
            for (int start = from; start < to; start += 100) {
                int first = start;
                work.add(threads.submit(() -> {
                    for (int number = first; number < Math.min(first + 100, to); number++) {
                        desk.visit(number);
                    }
                }));
            }
            for (Future<?> part : work) {
                part.get();
            }
            desk.passes.cleanUp();
        });
    }
}
