//! Strips of pictures from a satellite register with the JDK's Cleaner what is to be released when they are unreachable. The action refers to the strip itself, so that no
//! strip ever becomes unreachable. Beside it, much larger: the ground stations with their passes, read at start, and the mosaics of the day, a fixed table.
//: jars
//: libraries JDK
//: holder Strip\.CLEANER|StripReader\.CLEANER|CleanerImpl\.(phantomCleanableList|activeList)|PhantomCleanable|CleanerImpl\b
//: set aside
//: leak 39.6
//: heap 1g
import java.lang.ref.Cleaner;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

public class SatelliteStrips {
    static final AtomicInteger HANDLES = new AtomicInteger();

    static final class Strip implements AutoCloseable {
        private static final Cleaner CLEANER = Cleaner.create();
        final String name;
        final Instant taken;
        final short[] pixels = new short[1_500];
        private int handle = HANDLES.incrementAndGet();

        Strip(String name, Instant taken) {
            this.name = name;
            this.taken = taken;
            CLEANER.register(this, () -> release());
        }

        private synchronized void release() {
            if (handle != 0) {
                handle = 0;
                HANDLES.decrementAndGet();
            }
        }

        @Override
        public void close() {
            release();
        }
    }

    record Pass(Instant from, int seconds, double elevation, String operator) {}

    record GroundStation(String name, String country, List<Pass> passes) {}

    static final class Control {
        private final List<GroundStation> stations = new ArrayList<>();
        private final int[][] mosaics = new int[900][2_500];

        Control() {
            for (int number = 0; number < 9_000; number++) {
                List<Pass> passes = new ArrayList<>();
                for (int pass = 0; pass < 120; pass++) {
                    passes.add(new Pass(Instant.ofEpochSecond(1_764_000_000L + pass * 5_400L), 300 + pass, pass % 90 + 0.5, Corpus.words(3)));
                }
                stations.add(new GroundStation(Corpus.words(2), Corpus.words(1), passes));
            }
        }

        void receive(int number) {
            try (Strip strip = new Strip(Corpus.id("strip", number), Instant.ofEpochSecond(1_764_000_000L + number))) {
                int[] mosaic = mosaics[number % mosaics.length];
                for (int at = 0; at < strip.pixels.length; at++) {
                    strip.pixels[at] = (short) (number * 31 + at);
                    mosaic[at] += strip.pixels[at];
                }
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Control control = new Control();
        Corpus.twice(arguments, 6_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                control.receive(number);
            }
        });
    }
}
