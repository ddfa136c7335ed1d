//! A route planner keeps the zones that it has already planned in a set. Zone has no equals, so each is new, and none is ever found. Beside it: the streets,
//! and the tours of today, which end.
//: jars
//: libraries JDK
//: holder RoutePlanner\.plannedZones
//: set tuned
//: leak 9.4
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

public class DeliveryZones {
    record Street(String name, int houses, double length, List<String> crossings) {}

    static final class Zone {
        final int row;
        final int column;
        final String depot;
        final double[] corners = new double[8];

        Zone(int row, int column, String depot) {
            this.row = row;
            this.column = column;
            this.depot = depot;
            java.util.Arrays.setAll(corners, at -> row + column * at / 8.0);
        }
    }

    record Tour(String driver, List<Street> stops) {}

    static final class RoutePlanner {
        private final TreeMap<String, Street> streets = new TreeMap<>();
        private final Set<Zone> plannedZones = new HashSet<>();
        private final Deque<Tour> tours = new ArrayDeque<>();

        RoutePlanner() {
            for (int number = 0; number < 14_000; number++) {
                String name = Corpus.words(2) + " " + number;
                streets.put(name, new Street(name, 1 + Corpus.RANDOM.nextInt(90), Corpus.RANDOM.nextDouble(), List.of(Corpus.words(2), Corpus.words(2))));
            }
        }

        boolean plan(Zone zone) {
            return plannedZones.add(zone);
        }

        void order(int request) {
            List<Street> stops = new ArrayList<>();
            for (int stop = 0; stop < 4; stop++) {
                if (plan(new Zone(Corpus.RANDOM.nextInt(30), Corpus.RANDOM.nextInt(30), "depot " + Corpus.RANDOM.nextInt(9)))) {
                    var street = streets.ceilingEntry(Corpus.words(2));
                    stops.add(street == null ? streets.firstEntry().getValue() : street.getValue());
                }
            }
            tours.add(new Tour(Corpus.words(2), stops));
            if (tours.size() > 800) {
                tours.remove();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        RoutePlanner planner = new RoutePlanner();
        Corpus.twice(arguments, 4_500, (from, to) -> {
            for (int request = from; request < to; request++) {
                planner.order(request);
            }
        });
    }
}
