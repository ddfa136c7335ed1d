//! Healthy: departures of trams. Ehcache keeps at most a number of boards on the heap and is full; older boards are removed.
//! The network was loaded at start.
//: jars ehcache-core.jar slf4j-api.jar slf4j-nop.jar
//: libraries Ehcache
//: own Boards\.cache|Network\.stops|boards
//: set tuned
import java.util.HashMap;
import java.util.Map;
import net.sf.ehcache.Cache;
import net.sf.ehcache.CacheManager;
import net.sf.ehcache.Element;
import net.sf.ehcache.config.CacheConfiguration;
import net.sf.ehcache.config.Configuration;

public class HealthyTimetables {
    static final class Stop {
        final String name = Corpus.words(3);
        final int[] minutes = Corpus.RANDOM.ints(60, 0, 60).toArray();
        final double latitude = Corpus.RANDOM.nextDouble();
    }

    record Board(String stop, String line, String[] departures) {}

    static final class Network {
        final Map<String, Stop> stops = new HashMap<>();

        Network() {
            for (int number = 0; number < 24_000; number++) {
                stops.put(Corpus.id("stop", number), new Stop());
            }
        }
    }

    static final class Boards {
        final Network network = new Network();
        final Cache cache;

        Boards() {
            Configuration configuration = new Configuration().name("trams");
            configuration.setUpdateCheck(false);
            cache = new Cache(new CacheConfiguration("boards", 3_000));
            CacheManager.create(configuration).addCache(cache);
        }

        Board board(int request) {
            String key = Corpus.id("stop", request % 24_000) + "/" + request / 300;
            Element element = cache.get(key);
            if (element == null) {
                String[] departures = new String[8];
                for (int at = 0; at < departures.length; at++) {
                    departures[at] = at + ":" + network.stops.get(Corpus.id("stop", request % 24_000)).minutes[at] + " " + Corpus.words(1);
                }
                element = new Element(key, new Board(key, Corpus.words(1), departures));
                cache.put(element);
            }
            return (Board) element.getObjectValue();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Boards boards = new Boards();
        Corpus.twice(arguments, 30_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                boards.board(request);
            }
        });
    }
}
