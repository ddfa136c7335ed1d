//! A bitmap of visitors for each address: the address has its query, so there are new ones with each campaign mail. The segments of all
//! visitors are legitimate bitmaps, and larger.
//: jars RoaringBitmap*.jar shims*.jar
//: libraries RoaringBitmap
//: holder VisitorCounter\.byAddress
//: set tuned
//: leak 5.0
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.roaringbitmap.RoaringBitmap;

public class RoaringVisitors {
    private static final int VISITORS = 2_000_000;

    static final class Segment {
        final String name;
        final RoaringBitmap members = new RoaringBitmap();

        Segment(String name, int share) {
            this.name = name;
            for (int visitor = 0; visitor < VISITORS; visitor++) {
                if (Corpus.RANDOM.nextInt(share) == 0) {
                    members.add(visitor);
                }
            }
        }
    }

    static final class VisitorCounter {
        private final Map<String, RoaringBitmap> byAddress = new HashMap<>();

        void visit(String address, int visitor) {
            byAddress.computeIfAbsent(address, any -> new RoaringBitmap()).add(visitor);
        }

        int visitors(String address, Segment segment) {
            RoaringBitmap bitmap = byAddress.get(address);
            return bitmap == null ? 0 : RoaringBitmap.andCardinality(bitmap, segment.members);
        }
    }

    static final class Analytics {
        final List<Segment> segments = new ArrayList<>();
        final VisitorCounter counter = new VisitorCounter();

        Analytics() {
            for (String country : "at be ch de dk es fi fr gb it nl no pl pt se".split(" ")) {
                for (String device : "desktop phone tablet".split(" ")) {
                    segments.add(new Segment(country + "-" + device, 12 + segments.size()));
                }
            }
        }

        int hit(String address, int visitor) {
            counter.visit(address, visitor);
            return counter.visitors(address, segments.get(visitor % segments.size()));
        }
    }

    public static void main(String[] arguments) throws Exception {
        Analytics analytics = new Analytics();
        Corpus.twice(arguments, 5000, (from, to) -> {
            for (int request = from; request < to; request++) {
                String address = "/offers/" + request % 60 + "?mail=" + Corpus.id("m", request / 2) + "&theme=" + Corpus.words(1);
                for (int view = 0; view < 3; view++) {
                    analytics.hit(address, Corpus.RANDOM.nextInt(VISITORS));
                }
            }
        });
    }
}
