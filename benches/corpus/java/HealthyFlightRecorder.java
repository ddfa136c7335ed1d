//! Healthy: a server writes its last log records into a ring of fixed size, which has gone round many times. The airports were loaded at start.
//: jars
//: libraries JDK
//: own Recorder\.records|Airports\.byCode
//: set tuned
import java.util.Map;
import java.util.TreeMap;

public class HealthyFlightRecorder {
    record Airport(String code, String name, String country, double[] runways) {}

    record LogRecord(long time, String level, String logger, String message, Throwable failure) {}

    static final class Recorder {
        final LogRecord[] records = new LogRecord[9_000];
        long written;

        void log(String level, String logger, String message, Throwable failure) {
            records[(int) (written++ % records.length)] = new LogRecord(written, level, logger, message, failure);
        }
    }

    static final class Airports {
        final Map<String, Airport> byCode = new TreeMap<>();
        final Recorder recorder = new Recorder();

        Airports() {
            for (int number = 0; number < 40_000; number++) {
                String code = Integer.toString(number + 50_000, 36).toUpperCase();
                byCode.put(code, new Airport(code, Corpus.words(2), Corpus.words(1), Corpus.RANDOM.doubles(6, 800, 4000).toArray()));
            }
        }

        void serve(int request) {
            String code = Integer.toString(50_000 + Corpus.RANDOM.nextInt(40_000), 36).toUpperCase();
            Airport airport = byCode.get(code);
            recorder.log(request % 50 == 0 ? "WARN" : "INFO", "air.Search", "Search " + request + " for " + airport.name() + ": " + Corpus.words(5),
                    request % 400 == 0 ? new IllegalStateException("No route to " + code) : null);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Airports airports = new Airports();
        Corpus.twice(arguments, 70_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                airports.serve(request);
            }
        });
    }
}
