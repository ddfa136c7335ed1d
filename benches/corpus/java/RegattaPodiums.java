//! Results of regattas. The first three of each race are kept for the medal table as a part of the list of all finishes, which the part holds as a whole. Beside it, much
//! larger: the register of boats with their measurements, read at start, and the protocols of the last races, bounded.
//: jars
//: libraries JDK
//: holder MedalTable\.podiums
//: set aside
//: leak 55.0
//: heap 1g
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class RegattaPodiums {
    record Boat(String sail, String name, String club, String crew, LocalDate built, double[] measures) {}

    record Finish(Boat boat, double seconds, int[] marks, String remark) {}

    static final class MedalTable {
        private final Map<String, List<Finish>> podiums = new HashMap<>();

        void note(String race, List<Finish> ranked) {
            podiums.put(race, ranked.subList(0, 3));
        }

        long golds(String club) {
            return podiums.values().stream().filter(podium -> podium.get(0).boat.club.equals(club)).count();
        }
    }

    static final class Committee {
        private final Boat[] boats = new Boat[300_000];
        private final MedalTable medals = new MedalTable();
        private final Deque<String> protocols = new ArrayDeque<>();
        private long golds;

        Committee() {
            for (int number = 0; number < boats.length; number++) {
                boats[number] = new Boat(Corpus.id("SUI", number), Corpus.words(2), Corpus.words(2), Corpus.words(6), LocalDate.ofEpochDay(9_000 + number % 9_000),
                        new double[] {number % 17, number % 13, number / 7.0, number / 11.0, number % 5, number % 3});
            }
        }

        void race(int number) {
            List<Finish> finishes = new ArrayList<>();
            for (int boat = 0; boat < 70; boat++) {
                int[] marks = Corpus.RANDOM.ints(12, 200, 9_000).toArray();
                finishes.add(new Finish(boats[Corpus.RANDOM.nextInt(boats.length)], 3_000 + Corpus.RANDOM.nextDouble() * 4_000, marks, Corpus.words(3)));
            }
            finishes.sort(Comparator.comparingDouble(Finish::seconds));
            medals.note(Corpus.id("race", number), finishes);
            StringBuilder protocol = new StringBuilder();
            for (Finish finish : finishes) {
                protocol.append(finish.boat.sail).append(' ').append(Math.round(finish.seconds)).append('\n');
            }
            protocols.add(protocol.toString());
            if (protocols.size() > 300) {
                protocols.remove();
            }
            if (number % 100 == 0) {
                golds += medals.golds(finishes.get(0).boat.club);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Committee committee = new Committee();
        Corpus.twice(arguments, 700, (from, to) -> {
            for (int number = from; number < to; number++) {
                committee.race(number);
            }
        });
    }
}
