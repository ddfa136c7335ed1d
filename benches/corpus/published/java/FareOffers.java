//! Fares from several carriers: the first answer wins, or the closing of the office, a promise that is kept for the whole day. Each race leaves its handler, and with it the offer,
//! at the promise. Beside it, larger: the network of lines, filled at start.
//: issue scala/bug#10513
//: version Scala 2.11.8
//: from pypi pyspark 2.1.2
//: jars scala-library-2.11*.jar
//: libraries Scala
//: holder FareOffers\.office|Office\.closing|closing|DefaultPromise
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

public class FareOffers {
    record Line(String name, String[] stops, int[] minutes) {}

    record Offer(String carrier, double price, String conditions, byte[] ticket) {}

    static final class Office {
        final List<Line> lines = new ArrayList<>();
        final Promise<Offer> closing = Promise$.MODULE$.apply();
        final ExecutionContext threads = ExecutionContext$.MODULE$.fromExecutor((Executor) Runnable::run);
        double sum;

        Office() {
            for (int number = 0; number < 9_000; number++) {
                String[] stops = new String[20];
                Arrays.setAll(stops, at -> Corpus.words(2));
                lines.add(new Line(Corpus.words(1) + number, stops, Corpus.RANDOM.ints(20, 1, 60).toArray()));
            }
        }

        void ask(int request) {
            Promise<Offer> carrier = Promise$.MODULE$.apply();
            List<Future<Offer>> answers = List.of(carrier.future(), closing.future());
            Future<Offer> first = Future$.MODULE$.firstCompletedOf(JavaConversions.asScalaBuffer(answers), threads);
            Line line = lines.get(request % lines.size());
            carrier.success(new Offer(line.name(), 5 + request % 90, Corpus.words(8), new byte[300]));
            sum += first.value().get().get().price();
        }
    }

    static Office office;

    public static void main(String[] arguments) throws Exception {
        office = new Office();
        Corpus.twice(arguments, 4_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                office.ask(request);
            }
        });
    }
}
