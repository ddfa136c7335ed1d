//! Exports of orders. An ObjectMapper is kept for each zone, pattern and client version that ever asked: the key has no end.
//! Beside it: the product catalogue, one large JsonNode read at start.
//: jars jackson-databind.jar jackson-core.jar jackson-annotations.jar
//: libraries Jackson
//: holder ExportService\.mappers
//: set tuned
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.math.BigDecimal;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.concurrent.ConcurrentHashMap;

public class TenantExports {
    record Line(String sku, String name, int count, BigDecimal price) {}

    record Order(String number, String customer, Date placed, List<Line> lines) {}

    static final class Catalogue {
        final JsonNode root;

        Catalogue(int products) throws Exception {
            StringBuilder json = new StringBuilder("{\"version\":7,\"products\":[");
            for (int number = 0; number < products; number++) {
                json.append(number == 0 ? "" : ",").append("{\"sku\":\"").append(Corpus.id("sku", number))
                        .append("\",\"name\":\"").append(Corpus.words(3)).append("\",\"stock\":").append(number % 500)
                        .append(",\"price\":").append(1 + number % 300).append(".95,\"tags\":[\"").append(Corpus.words(1))
                        .append("\",\"").append(Corpus.words(1)).append("\"],\"size\":{\"w\":").append(200 + number % 900)
                        .append(",\"h\":").append(130 + number % 700).append("}}");
            }
            root = new ObjectMapper().readTree(json.append("]}").toString());
        }

        JsonNode product(int number) {
            JsonNode products = root.get("products");
            return products.get(number % products.size());
        }
    }

    static final class ExportService {
        private final Map<String, ObjectMapper> mappers = new ConcurrentHashMap<>();

        private ObjectMapper mapper(String zone, String pattern, String client) {
            return mappers.computeIfAbsent(zone + "|" + pattern + "|" + client, key -> {
                ObjectMapper mapper = new ObjectMapper();
                mapper.disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS);
                mapper.setDateFormat(new SimpleDateFormat(pattern));
                mapper.setTimeZone(TimeZone.getTimeZone(zone));
                return mapper;
            });
        }

        String export(Order order, String zone, String pattern, String client) throws Exception {
            return mapper(zone, pattern, client).writeValueAsString(order);
        }
    }

    static final class Exports {
        final Catalogue catalogue = new Catalogue(26_000);
        final ExportService service = new ExportService();
        long written;

        Exports() throws Exception {}

        void request(int number) throws Exception {
            List<Line> lines = new ArrayList<>();
            for (int line = 0; line < 5; line++) {
                JsonNode product = catalogue.product(Corpus.RANDOM.nextInt(26_000));
                lines.add(new Line(product.get("sku").asText(), product.get("name").asText(), 1 + line,
                        product.get("price").decimalValue()));
            }
            Order order = new Order(Corpus.id("order", number), Corpus.words(2), new Date(1_795_000_000_000L + number), lines);
            String zone = number % 2 == 0 ? "Europe/Vienna" : "Asia/Tokyo";
            written += service.export(order, zone, "yyyy-MM-dd HH:mm", "app/4." + number % 7 + " build " + number).length();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Exports exports = new Exports();
        Corpus.twice(arguments, 100, (from, to) -> {
            for (int number = from; number < to; number++) {
                exports.request(number);
            }
        });
    }
}
