//! Pilots of a harbour: the first free one wins, or the storm warning, a promise that may never be kept. The handlers of all races stay at the
//! promise, even though they no longer hold their results.
//: issue scala/bug#13058
//: version Scala 2.12.10
//: from pypi pyspark 3.1.1
//: jars scala-library-2.12*.jar
//: libraries Scala
//: holder HarbourPilots\.pilotage|Pilotage\.storm|storm|DefaultPromise
//: set tuned
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import scala.collection.JavaConversions;
import scala.concurrent.ExecutionContext;
import scala.concurrent.ExecutionContext$;
import scala.concurrent.Future;
import scala.concurrent.Future$;
import scala.concurrent.Promise;
import scala.concurrent.Promise$;

public class HarbourPilots {
    record Line(String name, String[] stops, int[] minutes) {}

    record Berth(String pilot, double price, String conditions, byte[] ticket) {}

    static final class Pilotage {
        final List<Line> lines = new ArrayList<>();
        final Promise<Berth> storm = Promise$.MODULE$.apply();
        final ExecutionContext threads = ExecutionContext$.MODULE$.fromExecutor((Executor) Runnable::run);
        double sum;

        Pilotage() {
            for (int number = 0; number < 900; number++) {
                String[] stops = new String[20];
                Arrays.setAll(stops, at -> Corpus.words(2));
                lines.add(new Line(Corpus.words(1) + number, stops, Corpus.RANDOM.ints(20, 1, 60).toArray()));
            }
        }

        void ask(int request) {
            Promise<Berth> pilot = Promise$.MODULE$.apply();
            List<Future<Berth>> answers = List.of(pilot.future(), storm.future());
            Future<Berth> first = Future$.MODULE$.firstCompletedOf(JavaConversions.asScalaBuffer(answers), threads);
            Line line = lines.get(request % lines.size());
            pilot.success(new Berth(line.name(), 5 + request % 90, Corpus.words(3), new byte[30]));
            sum += first.value().get().get().price();
        }
    }

    static Pilotage pilotage;

    public static void main(String[] arguments) throws Exception {
        pilotage = new Pilotage();
        Corpus.twice(arguments, 40_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                pilotage.ask(request);
            }
        });
    }
}
