//! A ticket office tells open pages of changed seats. It refers to a page weakly, with a note who watches; nobody takes the references of collected pages
//! out of the list. Beside it: the performances with their seats, and pages that are open.
//: jars
//: libraries JDK
//: holder SeatFeed\.watchers
//: set tuned
//: leak 4.8
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class SeatWatchers {
    static final class Performance {
        final String title = Corpus.words(4);
        final String cast = Corpus.words(14);
        final byte[] seats = new byte[420];
    }

    static final class Page {
        final String visitor;
        final Map<Integer, Byte> shown = new HashMap<>();

        Page(String visitor) {
            this.visitor = visitor;
        }
    }

    /** A page that watches, and what the log says about it. */
    static final class Watcher extends WeakReference<Page> {
        final String visitor;
        final String address = "192.0.2." + Corpus.RANDOM.nextInt(250) + " " + Corpus.words(4);
        final Instant since = Instant.ofEpochSecond(1_764_000_000L + Corpus.RANDOM.nextInt(86_400));

        Watcher(Page page) {
            super(page);
            visitor = page.visitor;
        }
    }

    static final class SeatFeed {
        private final List<Watcher> watchers = new ArrayList<>();

        void watch(Page page) {
            watchers.add(new Watcher(page));
        }

        void changed(int seat, byte state) {
            // The newest pages are told first, and one second is enough for some hundred.
            for (int at = watchers.size() - 1; at >= Math.max(0, watchers.size() - 200); at--) {
                Page page = watchers.get(at).get();
                if (page != null) {
                    page.shown.put(seat, state);
                }
            }
        }
    }

    static final class Office {
        private final Map<String, Performance> performances = new HashMap<>();
        private final Deque<Page> open = new ArrayDeque<>();
        private final SeatFeed feed = new SeatFeed();

        Office() {
            for (int number = 0; number < 9_000; number++) {
                performances.put(Corpus.id("performance", number), new Performance());
            }
        }

        void visit(int request) {
            Performance performance = performances.get(Corpus.id("performance", Corpus.RANDOM.nextInt(9_000)));
            Page page = new Page(Corpus.id("visitor", request));
            open.add(page);
            feed.watch(page);
            if (open.size() > 150) {
                open.remove();
            }
            if (request % 4 == 0) {
                int seat = Corpus.RANDOM.nextInt(performance.seats.length);
                performance.seats[seat] ^= 1;
                feed.changed(seat, performance.seats[seat]);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Office office = new Office();
        Corpus.twice(arguments, 8_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                office.visit(request);
            }
        });
    }
}
