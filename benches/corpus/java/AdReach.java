//! Reach of advertisements: sketches of the viewers (DataSketches) by hour and campaign. The report reads the last two hours, and no hour is
//! ever taken out. Beside it: creatives in a bounded cache, the campaigns with their budgets, and frequency caps in a fixed table.
//: jars datasketches-java-3*.jar datasketches-memory-2*.jar caffeine.jar
//: libraries DataSketches, Caffeine
//: holder ReachBook\.byHour
//: set tuned
//: leak 14.6
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.datasketches.theta.UpdateSketch;

public class AdReach {
    record Creative(String name, byte[] picture, String text) {}

    static final class Campaign {
        final String name;
        final String customer = Corpus.words(2);
        final List<String> regions = new ArrayList<>();
        double spent;

        Campaign(int number) {
            name = Corpus.id("campaign", number);
            for (int region = 0; region < 8; region++) {
                regions.add(Corpus.words(2));
            }
        }
    }

    static final class ReachBook {
        private final ConcurrentSkipListMap<Integer, Map<String, UpdateSketch>> byHour = new ConcurrentSkipListMap<>();

        void seen(int hour, String campaign, long viewer) {
            byHour.computeIfAbsent(hour, h -> new HashMap<>())
                    .computeIfAbsent(campaign, c -> UpdateSketch.builder().setNominalEntries(256).build()).update(viewer);
        }

        double reach(int hour, String campaign) {
            double sum = 0;
            for (Map<String, UpdateSketch> sketches : byHour.subMap(hour - 1, true, hour, true).values()) {
                UpdateSketch sketch = sketches.get(campaign);
                sum += sketch == null ? 0 : sketch.getEstimate();
            }
            return sum;
        }
    }

    static final class AdServer {
        private final ReachBook reach = new ReachBook();
        private final List<Campaign> campaigns = new ArrayList<>();
        private final Cache<Integer, Creative> creatives = Caffeine.newBuilder().maximumSize(600).executor(Runnable::run).build();
        private final byte[] caps = new byte[4 << 20];

        AdServer() {
            for (int number = 0; number < 8_000; number++) {
                campaigns.add(new Campaign(number));
            }
            for (int number = 0; number < 600; number++) {
                creative(number);
            }
        }

        private Creative creative(int number) {
            return creatives.get(number, n -> {
                byte[] picture = new byte[9_000];
                Corpus.RANDOM.nextBytes(picture);
                return new Creative(Corpus.id("creative", n), picture, Corpus.words(12));
            });
        }

        void serve(int request) {
            int hour = request / 500;
            for (int view = 0; view < 14; view++) {
                Campaign campaign = campaigns.get(Corpus.RANDOM.nextInt(200) + hour * 13 % 7_000);
                long viewer = Corpus.RANDOM.nextInt(3_000_000);
                int slot = (int) ((viewer * 31 + campaign.name.hashCode()) & (caps.length - 1));
                if (caps[slot] < 5) {
                    caps[slot]++;
                    reach.seen(hour, campaign.name, viewer);
                    campaign.spent += 0.002;
                }
                creative(Corpus.RANDOM.nextInt(1_500));
            }
            reach.reach(hour, campaigns.get(request % 8_000).name);
        }
    }

    public static void main(String[] arguments) throws Exception {
        AdServer server = new AdServer();
        Corpus.twice(arguments, 6_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                server.serve(request);
            }
        });
    }
}
