//! A shop asks a carrier for the state of parcels with HttpClient. The carrier sets a cookie for each parcel, and the client's cookie store keeps all.
//! Beside it: the orders of the day, which the answers change, the depots, and the last answers, bounded.
//: jars httpclient.jar httpcore.jar commons-logging.jar commons-codec.jar
//: libraries HttpClient
//: holder BasicCookieStore\.cookies|CarrierClient\.client|cookieStore
//: set tuned
//: leak 5.4
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.util.EntityUtils;

public class ParcelTracking {
    static final class Order {
        final String number;
        final String receiver;
        final String address;
        String state = "packed";

        Order(int number) {
            this.number = Corpus.id("order", number);
            receiver = Corpus.words(2);
            address = Corpus.words(5);
        }
    }

    record Depot(String name, double[] distances) {}

    static final class LastAnswers extends LinkedHashMap<String, String> {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > 1_000;
        }
    }

    static final class CarrierClient {
        private final CloseableHttpClient client = HttpClients.createDefault();
        private final String address;

        CarrierClient(int port) {
            address = "http://127.0.0.1:" + port + "/parcels/";
        }

        String state(String parcel) throws Exception {
            try (CloseableHttpResponse response = client.execute(new HttpGet(address + parcel + "/state"))) {
                return EntityUtils.toString(response.getEntity());
            }
        }
    }

    static final class TrackingService {
        private final Map<String, Order> orders = new HashMap<>();
        private final Depot[] depots = new Depot[900];
        private final LastAnswers lastAnswers = new LastAnswers();
        private final CarrierClient carrier;

        TrackingService(int port) {
            carrier = new CarrierClient(port);
            for (int number = 0; number < 36_000; number++) {
                Order order = new Order(number);
                orders.put(order.number, order);
            }
            for (int depot = 0; depot < depots.length; depot++) {
                depots[depot] = new Depot(Corpus.words(2), Corpus.RANDOM.doubles(depots.length, 1, 900).toArray());
            }
        }

        void track(int request) throws Exception {
            Order order = orders.get(Corpus.id("order", request % orders.size()));
            String answer = carrier.state(order.number);
            order.state = answer.substring(answer.indexOf("state\":\"") + 8, answer.indexOf("\",\"depot"));
            lastAnswers.put(order.number, answer);
        }
    }

    /** The carrier's side. */
    static void answer(HttpExchange exchange) throws java.io.IOException {
        String path = exchange.getRequestURI().getPath();
        byte[] body = ("{\"state\":\"" + Corpus.words(2) + "\",\"depot\":\"" + Corpus.words(4) + "\",\"history\":\"" + Corpus.words(60) + "\"}")
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Set-Cookie", "visit=" + Long.toHexString(Corpus.RANDOM.nextLong()) + Long.toHexString(Corpus.RANDOM.nextLong())
                + "; Path=" + path + "; Max-Age=2592000; HttpOnly");
        exchange.getResponseHeaders().add("Set-Cookie", "route=" + Corpus.words(3).replace(' ', '.') + "; Path=" + path + "; Max-Age=2592000");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    public static void main(String[] arguments) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/parcels/", ParcelTracking::answer);
        server.setExecutor(Executors.newFixedThreadPool(2));
        server.start();
        TrackingService service = new TrackingService(server.getAddress().getPort());
        Corpus.twice(arguments, 1_300, (from, to) -> {
            for (int request = from; request < to; request++) {
                service.track(request);
            }
        });
    }
}
