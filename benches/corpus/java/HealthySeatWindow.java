//! Healthy: seats of a festival are held for a while. Holds are in a ConcurrentSkipListMap by time; those that are too old go with each new one, and locks are striped, a fixed
//! number. The performances were loaded at start.
//: jars
//: libraries JDK
//: own BoxOffice\.(holds|stripes|performances|numbers)|ConcurrentSkipListMap
//: set aside
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

public class HealthySeatWindow {
    record Performance(String title, String hall, byte[] seats, List<String> prices) {}

    record Hold(String number, Performance performance, int seat, String visitor, String wish) {}

    static final class BoxOffice {
        final List<Performance> performances = new ArrayList<>();
        final ReentrantLock[] stripes = new ReentrantLock[512];
        final ConcurrentSkipListMap<Long, Hold> holds = new ConcurrentSkipListMap<>();
        final ConcurrentHashMap<String, Long> numbers = new ConcurrentHashMap<>();
        final AtomicLong clock = new AtomicLong();

        BoxOffice() {
            java.util.Arrays.setAll(stripes, at -> new ReentrantLock());
            for (int number = 0; number < 8_000; number++) {
                performances.add(new Performance(Corpus.words(4), Corpus.words(1), new byte[900], List.of(Corpus.words(2), Corpus.words(2))));
            }
        }

        void hold(int number) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            int at = random.nextInt(performances.size());
            Performance performance = performances.get(at);
            ReentrantLock lock = stripes[at % stripes.length];
            lock.lock();
            try {
                int seat = random.nextInt(900);
                performance.seats()[seat]++;
                long now = clock.incrementAndGet();
                Hold hold = new Hold(Corpus.id("hold", number), performance, seat, Corpus.words(2), Corpus.words(5));
                holds.put(now, hold);
                numbers.put(hold.number(), now);
                for (var old = holds.firstEntry(); old != null && old.getKey() < now - 14_000; old = holds.firstEntry()) {
                    if (holds.remove(old.getKey(), old.getValue())) {
                        numbers.remove(old.getValue().number());
                    }
                }
            } finally {
                lock.unlock();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        BoxOffice office = new BoxOffice();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        Corpus.twice(arguments, 60_000, (from, to) -> {
            List<Future<?>> work = new ArrayList<>();
            for (int start = from; start < to; start += 200) {
                int first = start;
                work.add(threads.submit(() -> {
                    for (int number = first; number < Math.min(first + 200, to); number++) {
                        office.hold(number);
                    }
                }));
            }
            for (Future<?> part : work) {
                part.get();
            }
        });
    }
}
