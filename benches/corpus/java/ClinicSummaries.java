//! A portal of a clinic. Summaries of visits lie in an Ehcache cache whose elements are eternal and not counted.
//! Beside it: the catalogue of medicines, filled at start and larger, and the calendar of the rooms.
//: jars ehcache.jar slf4j-api.jar slf4j-nop.jar
//: libraries Ehcache
//: holder VisitSummaries\.cache|visit-summaries|MemoryStore\.map
//: set tuned
//: leak 7.7
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sf.ehcache.Cache;
import net.sf.ehcache.CacheManager;
import net.sf.ehcache.Element;
import net.sf.ehcache.config.CacheConfiguration;
import net.sf.ehcache.config.Configuration;

public class ClinicSummaries {
    record Medicine(String code, String name, String substance, double[] doses, String advice) {}

    record Finding(String organ, String text) implements Serializable {}

    record Summary(String visit, String patient, String doctor, List<Finding> findings, List<String> medicines)
            implements Serializable {}

    static final class MedicineCatalogue {
        final Map<String, Medicine> byCode = new HashMap<>();

        MedicineCatalogue(int count) {
            for (int number = 0; number < count; number++) {
                double[] doses = {0.5 * (number % 7), number % 11, number % 40};
                byCode.put(Corpus.id("N02", number), new Medicine(Corpus.id("N02", number), Corpus.words(2), Corpus.words(3),
                        doses, Corpus.words(60)));
            }
        }
    }

    static final class RoomCalendar {
        final List<String[]> days = new ArrayList<>();

        RoomCalendar() {
            for (int day = 0; day < 365; day++) {
                String[] slots = new String[96];
                for (int slot = 0; slot < slots.length; slot += 1 + day % 3) {
                    slots[slot] = Corpus.id("room", slot) + " " + Corpus.words(1);
                }
                days.add(slots);
            }
        }
    }

    static final class VisitSummaries {
        private final Cache cache;

        VisitSummaries(CacheManager manager) {
            // Nought elements in memory means: no bound.
            cache = new Cache(new CacheConfiguration("visit-summaries", 0).eternal(true).overflowToDisk(false));
            manager.addCache(cache);
        }

        Summary of(String visit, int number) {
            Element known = cache.get(visit);
            if (known != null) {
                return (Summary) known.getObjectValue();
            }
            List<Finding> findings = new ArrayList<>();
            for (int at = 0; at < 3; at++) {
                findings.add(new Finding(Corpus.words(1), Corpus.words(9)));
            }
            List<String> medicines = List.of(Corpus.id("N02", number % 900), Corpus.id("N02", number % 7_000));
            Summary summary = new Summary(visit, Corpus.id("patient", number / 2), "Dr " + Corpus.words(1), findings, medicines);
            cache.put(new Element(visit, summary));
            return summary;
        }
    }

    static MedicineCatalogue medicines;
    static RoomCalendar calendar;
    static VisitSummaries summaries;

    public static void main(String[] arguments) throws Exception {
        System.setProperty("net.sf.ehcache.skipUpdateCheck", "true");
        Configuration configuration = new Configuration().name("portal").updateCheck(false);
        configuration.setDefaultCacheConfiguration(new CacheConfiguration("default", 100));
        medicines = new MedicineCatalogue(38_000);
        calendar = new RoomCalendar();
        summaries = new VisitSummaries(CacheManager.create(configuration));
        Corpus.twice(arguments, 2_600, (from, to) -> {
            for (int visit = from; visit < to; visit++) {
                Summary summary = summaries.of(Corpus.id("visit", visit), visit);
                for (String code : summary.medicines()) {
                    medicines.byCode.get(code);
                }
            }
        });
    }
}
