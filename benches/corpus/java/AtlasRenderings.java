//! A publisher of atlases draws each page with an executor of its own, and does not shut it down: the idle thread of each page stays, and with it the drawing. Beside it:
//! the borders and towns of all countries, read at start, and the last proofs, bounded.
//: jars
//: libraries JDK
//: holder Drawing\.painters|ThreadPoolExecutor\.workers|ThreadPoolExecutor\$Worker|atlas-painter
//: set aside
//: leak 10.4
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;

public class AtlasRenderings {
    record Town(String name, String country, int people, float east, float north) {}

    record Border(String between, float[] line) {}

    /** One page of an atlas, which its own threads draw. */
    static final class Drawing implements ThreadFactory {
        final String title;
        final int[] colours = new int[2_400];
        final List<Town> labels = new ArrayList<>();
        private final ExecutorService painters = Executors.newFixedThreadPool(1, this);

        Drawing(String title) {
            this.title = title;
        }

        @Override
        public Thread newThread(Runnable work) {
            Thread thread = new Thread(work, "atlas-painter " + title);
            thread.setDaemon(true);
            return thread;
        }

        int draw(Atlas atlas, int seed) throws Exception {
            List<Future<Integer>> parts = new ArrayList<>();
            for (int part = 0; part < 3; part++) {
                int first = seed + part * 700;
                parts.add(painters.submit(() -> paint(atlas, first)));
            }
            int sum = 0;
            for (Future<Integer> part : parts) {
                sum += part.get();
            }
            return sum;
        }

        private int paint(Atlas atlas, int first) {
            for (int at = 0; at < 40; at++) {
                Town town = atlas.towns.get((first + at * 31) % atlas.towns.size());
                Border border = atlas.borders.get((first + at) % atlas.borders.size());
                colours[(int) (town.east * 13 + border.line[at % border.line.length]) % colours.length] = town.people;
                if (town.people > 900_000) {
                    labels.add(town);
                }
            }
            return labels.size();
        }
    }

    static final class Atlas {
        final List<Town> towns = new ArrayList<>();
        final List<Border> borders = new ArrayList<>();
        final Deque<String> proofs = new ArrayDeque<>();

        Atlas() {
            for (int number = 0; number < 90_000; number++) {
                towns.add(new Town(Corpus.words(2), Corpus.words(1), Corpus.RANDOM.nextInt(1_000_000), Corpus.RANDOM.nextFloat() * 180, Corpus.RANDOM.nextFloat() * 90));
            }
            for (int number = 0; number < 9_000; number++) {
                float[] line = new float[90];
                for (int at = 0; at < line.length; at++) {
                    line[at] = Corpus.RANDOM.nextFloat() * 100;
                }
                borders.add(new Border(Corpus.words(2), line));
            }
        }

        void page(int number) throws Exception {
            Drawing drawing = new Drawing(Corpus.id("page", number));
            int labels = drawing.draw(this, ThreadLocalRandom.current().nextInt(90_000));
            proofs.add(drawing.title + " " + labels + " labels, " + Corpus.words(12));
            if (proofs.size() > 200) {
                proofs.remove();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Atlas atlas = new Atlas();
        Corpus.twice(arguments, 420, (from, to) -> {
            for (int number = from; number < to; number++) {
                atlas.page(number);
            }
        });
    }
}
