//! A gateway to sensors cancels open calls at its own end: each call adds a stage to the future of the end, which completes only once, and the stage of an
//! answered call stays. Beside it: the sensors with their last values, and calls in work.
//: jars
//: libraries JDK
//: holder Gateway\.closing|CompletableFuture\.stack
//: set tuned
//: leak 10.3
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

public class GatewayShutdown {
    record Reading(String sensor, double value, String unit, Instant at) {}

    static final class Sensor {
        final String place = Corpus.words(4);
        final String model = Corpus.words(2);
        final Reading[] last = new Reading[6];

        Sensor(String name) {
            for (int at = 0; at < last.length; at++) {
                last[at] = new Reading(name, Corpus.RANDOM.nextDouble(), "kPa", Instant.ofEpochSecond(1_764_000_000L + at));
            }
        }
    }

    static final class Gateway {
        private final Map<String, Sensor> sensors = new HashMap<>();
        private final Map<Integer, CompletableFuture<Reading>> calls = new HashMap<>();
        private final CompletableFuture<Reading> closing = new CompletableFuture<>();

        Gateway() {
            for (int number = 0; number < 11_000; number++) {
                String name = Corpus.id("sensor", number);
                sensors.put(name, new Sensor(name));
            }
        }

        CompletableFuture<String> ask(int request) {
            String question = "read " + Corpus.words(8) + " for " + Corpus.id("customer", request);
            CompletableFuture<Reading> answer = new CompletableFuture<>();
            calls.put(request, answer);
            closing.whenComplete((nothing, failure) -> answer.completeExceptionally(new IllegalStateException("closed: " + question)));
            return answer.thenApply(reading -> question + ": " + reading);
        }

        void answer(int request) {
            String name = Corpus.id("sensor", Corpus.RANDOM.nextInt(11_000));
            Reading reading = new Reading(name, Corpus.RANDOM.nextDouble(), "kPa", Instant.ofEpochSecond(1_764_100_000L + request));
            sensors.get(name).last[request % 6] = reading;
            calls.remove(request).complete(reading);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Gateway gateway = new Gateway();
        Corpus.twice(arguments, 12_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                gateway.ask(request);
                if (request >= 40) {
                    gateway.answer(request - 40);
                }
            }
        });
    }
}
