//! Healthy: readers of a newspaper by day, in bitmaps of RoaringBitmap. A bitmap is kept for each of the last sixty days, and the oldest goes when a day begins. The articles were
//! loaded at start.
//: jars RoaringBitmap-0.9*.jar shims-0.9*.jar
//: libraries RoaringBitmap
//: own Readership\.(days|articles)|RoaringBitmap
//: set aside
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.roaringbitmap.RoaringBitmap;

public class HealthyReaderDays {
    record Article(String title, String author, String text, List<String> tags) {}

    static final class Readership {
        final Deque<RoaringBitmap> days = new ArrayDeque<>();
        final List<Article> articles = new ArrayList<>();
        long readers;

        Readership() {
            for (int number = 0; number < 20_000; number++) {
                articles.add(new Article(Corpus.words(5), Corpus.words(2), Corpus.words(14), List.of(Corpus.words(1), Corpus.words(1))));
            }
        }

        void day() {
            RoaringBitmap today = new RoaringBitmap();
            for (int read = 0; read < 40_000; read++) {
                today.add(Corpus.RANDOM.nextInt(4_000_000));
            }
            today.runOptimize();
            days.add(today);
            if (days.size() > 60) {
                days.remove();
            }
            readers = days.stream().reduce(new RoaringBitmap(), (one, other) -> RoaringBitmap.or(one, other)).getLongCardinality();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Readership readership = new Readership();
        Corpus.twice(arguments, 150, (from, to) -> {
            for (int number = from; number < to; number++) {
                readership.day();
            }
        });
    }
}
