//! Notices of a harbour in the language of each ship, formatted with ICU4J. Formats are kept by pattern, and the name and the berth of the ship
//! are written into the pattern. Beside it: the register of ships, the berths with their plans, replaced in turn, and a full outbox.
//: jars icu4j.jar
//: libraries ICU4J
//: holder NoticeWriter\.formats
//: set tuned
import com.ibm.icu.text.MessageFormat;
import com.ibm.icu.util.ULocale;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class HarbourNotices {
    record Ship(String name, String owner, int tonnes, List<String> cargo, ULocale language) {}

    record Slot(long begin, long end, Ship ship, String remark) {}

    static final class Berth {
        final String name;
        List<Slot> plan = new ArrayList<>();

        Berth(String name) {
            this.name = name;
        }
    }

    static final class NoticeWriter {
        private final Map<String, MessageFormat> formats = new HashMap<>();

        String write(Ship ship, String berth, int boats, Date at) {
            String pattern = ship.name() + " to berth " + berth + ": {0, date, long}, {0, time, short}, {1, plural, one {one tug} other {# tugs}}, fee {2, number, currency}";
            MessageFormat format = formats.computeIfAbsent(ship.language() + pattern, key -> new MessageFormat(pattern, ship.language()));
            return format.format(new Object[] {at, boats, ship.tonnes() * 0.12});
        }
    }

    static final class HarbourOffice {
        private static final String[] LANGUAGES = {"en_GB", "de_DE", "fr_FR", "nl_NL", "es_ES", "pl_PL"};
        private final NoticeWriter writer = new NoticeWriter();
        private final List<Ship> ships = new ArrayList<>();
        private final List<Berth> berths = new ArrayList<>();
        private final ArrayDeque<String> outbox = new ArrayDeque<>();

        HarbourOffice() {
            for (int number = 0; number < 22_000; number++) {
                List<String> cargo = new ArrayList<>();
                for (int hold = 0; hold < 6; hold++) {
                    cargo.add(Corpus.words(2));
                }
                ships.add(new Ship(Corpus.words(2), Corpus.words(3), 500 + Corpus.RANDOM.nextInt(90_000), cargo, new ULocale(LANGUAGES[number % LANGUAGES.length])));
            }
            for (int number = 0; number < 120; number++) {
                Berth berth = new Berth(Corpus.words(1) + " " + number);
                berths.add(berth);
                plan(berth);
            }
        }

        private void plan(Berth berth) {
            List<Slot> plan = new ArrayList<>();
            for (int slot = 0; slot < 200; slot++) {
                plan.add(new Slot(slot * 21_600_000L, slot * 21_600_000L + 18_000_000L, ships.get(Corpus.RANDOM.nextInt(ships.size())), Corpus.words(4)));
            }
            berth.plan = plan;
        }

        void arrival(int request) {
            Berth berth = berths.get(request % berths.size());
            if (request % 5 == 0) {
                plan(berth);
            }
            Slot slot = berth.plan.get(Corpus.RANDOM.nextInt(berth.plan.size()));
            outbox.add(writer.write(slot.ship(), berth.name, 1 + request % 4, new Date(1_767_000_000_000L + slot.begin())));
            if (outbox.size() > 300) {
                outbox.poll();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        HarbourOffice office = new HarbourOffice();
        Corpus.twice(arguments, 600, (from, to) -> {
            for (int request = from; request < to; request++) {
                office.arrival(request);
            }
        });
    }
}
