//! A toll road. The reader of the gantries interns each text of a camera with a strong interner of Guava. Names of lanes repeat, but
//! the message of each passage is new. Beside it, much larger: the accounts with their vehicles, filled at start.
//: jars guava.jar
//: libraries Guava
//: holder GantryReader\.texts|InternerImpl
//: set tuned
//: leak 0.8
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Interner;
import com.google.common.collect.Interners;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class TollGantries {
    static final int ACCOUNTS = 45_000;

    record Vehicle(String plate, String model, int axles) {}

    record Account(String number, String owner, String address, List<Vehicle> vehicles) {}

    record Passage(String gantry, String lane, String plate, long at, String message) {}

    static final class Accounts {
        final Map<String, Account> byPlate = new HashMap<>();

        Accounts() {
            for (int number = 0; number < ACCOUNTS; number++) {
                List<Vehicle> vehicles = ImmutableList.of(new Vehicle(plate(number), Corpus.words(2), 2 + number % 4));
                byPlate.put(plate(number), new Account(Corpus.id("account", number), Corpus.words(2), Corpus.words(6), vehicles));
            }
        }

        static String plate(int number) {
            return "T " + (100_000 + number);
        }
    }

    static final class GantryReader {
        private final Interner<String> texts = Interners.newStrongInterner();

        /** Reads a line such as `gantry-000001;lane 2;T 100000;1795500000;confidence 97, picture …`. */
        Passage read(String line) {
            String[] parts = line.split(";");
            return new Passage(texts.intern(parts[0]), texts.intern(parts[1]), texts.intern(parts[2]), Long.parseLong(parts[3]),
                    texts.intern(parts[4]));
        }
    }

    static final class TollRoad {
        private final Accounts accounts = new Accounts();
        private final GantryReader reader = new GantryReader();
        private final ArrayDeque<Passage> recent = new ArrayDeque<>();
        private long cents;

        void pass(String line) {
            Passage passage = reader.read(line);
            Account account = accounts.byPlate.get(passage.plate());
            cents += 120L * account.vehicles().get(0).axles();
            recent.addLast(passage);
            if (recent.size() > 200) {
                recent.removeFirst();
            }
        }
    }

    static final TollRoad ROAD = new TollRoad();

    public static void main(String[] arguments) throws Exception {
        Corpus.twice(arguments, 1_800, (from, to) -> {
            for (int number = from; number < to; number++) {
                ROAD.pass(Corpus.id("gantry", number % 60) + ";lane " + number % 4 + ";"
                        + Accounts.plate(Corpus.RANDOM.nextInt(500)) + ";" + (1_795_500_000L + number)
                        + ";confidence " + (60 + number % 40) + ", picture /" + Corpus.id("picture", number) + ".jpg, " + Corpus.words(10));
            }
        });
    }
}
