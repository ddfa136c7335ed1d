//! Receipts are written as JSON by many threads. Jackson's pool of buffers without locks adds a buffer whenever two threads meet, and never drops one. Beside it,
//! larger: the prices, filled at start.
//: issue FasterXML/jackson-core#1260
//: version Jackson 2.17.0
//: from npm allure-commandline 2.29.0
//: jars jackson-core-2.17.0.jar jackson-databind-2.17.0.jar jackson-annotations-2.17.0.jar
//: libraries Jackson
//: holder LockFreePool|JsonRecyclerPools|RecyclerPool
//: set tuned
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class ReceiptJson {
    public record Line(String article, int count, double price) {}

    public record Receipt(String number, List<Line> lines, String thanks) {}

    static final class Till {
        final Map<String, double[]> prices = new HashMap<>();
        final ObjectMapper json = new ObjectMapper();
        final ExecutorService threads = Executors.newFixedThreadPool(32);

        Till() {
            for (int number = 0; number < 90_000; number++) {
                prices.put(Corpus.id("article", number), Corpus.RANDOM.doubles(30).toArray());
            }
        }

        int write(int number) throws Exception {
            String article = Corpus.id("article", number % 90_000);
            return json.writeValueAsString(new Receipt(Corpus.id("receipt", number), List.of(new Line(article, 1, prices.get(article)[3])), "Thank you")).length();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Till till = new Till();
        Corpus.twice(arguments, 320, (from, to) -> {
            Future<?>[] done = new Future<?>[to - from];
            for (int batch = from; batch < to; batch++) {
                int first = batch;
                done[batch - from] = till.threads.submit(() -> {
                    for (int number = 0; number < 8_000; number++) {
                        till.write(first * 8_000 + number);
                    }
                    return null;
                });
            }
            for (Future<?> one : done) {
                one.get();
            }
        });
    }
}
