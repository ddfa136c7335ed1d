//! A forwarder reads manifests of ships and makes equal texts one (its own intern table). Ports and goods repeat, but the lines with weights and seals go
//! through the table, too. Beside it: ports with distances, and the newest manifests.
//: jars
//: libraries JDK
//: holder Texts\.CANONICAL
//: set tuned
//: leak 10.0
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public class ManifestLines {
    /** Makes equal texts one object. */
    static final class Texts {
        private static final ConcurrentHashMap<String, String> CANONICAL = new ConcurrentHashMap<>();

        static String of(String text) {
            String known = CANONICAL.putIfAbsent(text, text);
            return known == null ? text : known;
        }
    }

    record Line(String goods, String port, String seal, String remark) {}

    record Manifest(String ship, List<Line> lines) {}

    static final class Port {
        final String name = Corpus.words(2);
        final Map<String, Integer> miles = new HashMap<>();
    }

    static final class Forwarder {
        private final List<Port> ports = new ArrayList<>();
        private final List<Manifest> newest = new ArrayList<>();

        Forwarder() {
            for (int number = 0; number < 1_200; number++) {
                Port port = new Port();
                for (int other = 0; other < 60; other++) {
                    port.miles.put(Corpus.id("port", Corpus.RANDOM.nextInt(1_200)), 1_000 + Corpus.RANDOM.nextInt(9_000));
                }
                ports.add(port);
            }
        }

        void read(int number) {
            List<Line> lines = new ArrayList<>();
            for (int line = 0; line < 5; line++) {
                lines.add(new Line(Texts.of(Corpus.words(1)), Texts.of(ports.get(Corpus.RANDOM.nextInt(1_200)).name),
                        Texts.of("seal " + number + "-" + line + " " + Corpus.RANDOM.nextInt(1_000_000) + " kg"), Texts.of(Corpus.words(8))));
            }
            newest.add(new Manifest(Texts.of(Corpus.words(2)), lines));
            if (newest.size() > 400) {
                newest.remove(0);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Forwarder forwarder = new Forwarder();
        Corpus.twice(arguments, 3_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                forwarder.read(number);
            }
        });
    }
}
