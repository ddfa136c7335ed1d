//! Receipts are streamed as JSON to tills, most of them slow, so that many streams are open at once, more in each hour. Jackson's pool without locks keeps a
//! buffer for each stream that was ever open at the same time. Beside it, larger: the prices, filled at start.
//: issue FasterXML/jackson-core#1260
//: version Jackson 2.17.0
//: from npm allure-commandline 2.29.0
//: jars jackson-core-2.17.0.jar jackson-databind-2.17.0.jar jackson-annotations-2.17.0.jar
//: libraries Jackson
//: holder LockFreePool|JsonRecyclerPools|[rR]ecyclerPool
//: set tuned
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

public class ReceiptJson {
    static final class Till {
        final Map<String, double[]> prices = new HashMap<>();
        final ObjectMapper json = new ObjectMapper();
        long bytes;

        Till() {
            for (int number = 0; number < 60_000; number++) {
                prices.put(Corpus.id("article", number), Corpus.RANDOM.doubles(24).toArray());
            }
        }

        /** Streams as many receipts at once as the hour demands. */
        void stream(int hour) throws Exception {
            Deque<JsonGenerator> open = new ArrayDeque<>();
            for (int number = 0; number < 10 + hour * 12; number++) {
                String article = Corpus.id("article", (hour * 31 + number) % 60_000);
                ByteArrayOutputStream till = new ByteArrayOutputStream(64);
                JsonGenerator receipt = json.createGenerator(till);
                receipt.writeStartObject();
                receipt.writeNumberField(article, prices.get(article)[3]);
                open.add(receipt);
            }
            while (!open.isEmpty()) {
                JsonGenerator receipt = open.poll();
                receipt.writeEndObject();
                receipt.close();
                bytes += ((ByteArrayOutputStream) receipt.getOutputTarget()).size();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Till till = new Till();
        Corpus.twice(arguments, 24, (from, to) -> {
            for (int hour = from; hour < to; hour++) {
                till.stream(hour);
            }
        });
    }
}
