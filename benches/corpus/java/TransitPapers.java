//! A customs broker logs with Logback. For each item of a shipment its state is put into the context of the log (MDC) under the number of the item, and
//! only the number of the shipment is removed. Beside it: the tariff numbers, and shipments in work, which come and go.
//: jars logback-classic.jar logback-core.jar slf4j-api.jar
//: libraries Logback
//: holder LogbackMDCAdapter\.\w+|MDC\.mdcAdapter|copyOnThreadLocal|readWriteThreadLocalMap
//: set tuned
//: leak 4.3
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

public class TransitPapers {
    private static final Logger LOG = LoggerFactory.getLogger(TransitPapers.class);

    record TariffNumber(String number, String goods, List<String> papers, int percent) {}

    record Shipment(String number, List<TariffNumber> items, String carrier) {}

    static final class Broker {
        private final TreeMap<String, TariffNumber> tariff = new TreeMap<>();
        private final Deque<Shipment> inWork = new ArrayDeque<>();

        Broker() {
            for (int number = 0; number < 20_000; number++) {
                String code = String.format("%04d.%02d.%02d", number / 20, number % 20, number % 7);
                tariff.put(code, new TariffNumber(code, Corpus.words(9), List.of(Corpus.words(2), Corpus.words(3)), Corpus.RANDOM.nextInt(20)));
            }
        }

        void clear(int request) {
            String number = Corpus.id("shipment", request);
            MDC.put("shipment", number);
            List<TariffNumber> items = new ArrayList<>();
            for (int item = 0; item < 4; item++) {
                TariffNumber line = tariff.get(String.format("%04d.%02d.%02d", Corpus.RANDOM.nextInt(1000), item, item));
                items.add(line == null ? tariff.firstEntry().getValue() : line);
                MDC.put(number + "/item-" + item, "declared " + Corpus.words(7) + " at " + Corpus.RANDOM.nextInt(100) + " %");
            }
            inWork.add(new Shipment(number, items, Corpus.words(2)));
            if (inWork.size() > 900) {
                inWork.remove();
            }
            LOG.trace("cleared");
            MDC.remove("shipment");
        }
    }

    public static void main(String[] arguments) throws Exception {
        ((ch.qos.logback.classic.Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(ch.qos.logback.classic.Level.WARN);
        Broker broker = new Broker();
        Corpus.twice(arguments, 2_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                broker.clear(request);
            }
        });
    }
}
