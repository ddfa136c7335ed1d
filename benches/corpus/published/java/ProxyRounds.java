//! A comparison of prices asks shops through very many proxies, each used once, and most of them refuse. OkHttp keeps each route that failed. Beside it, larger: the goods,
//! filled at start.
//: issue square/okhttp#4689
//: version OkHttp 3.12.12
//: from pypi pyspark 3.5.3
//: jars okhttp-3*.jar okio-1*.jar
//: libraries OkHttp
//: holder RouteDatabase|failedRoutes|routeDatabase
//: set aside
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

public class ProxyRounds {
    record Goods(String code, String name, String maker, double price, List<String> shops) {}

    /** Another proxy for each request. */
    static final class Proxies extends ProxySelector {
        private final AtomicInteger next = new AtomicInteger();
        private final int port;

        Proxies(int port) {
            this.port = port;
        }

        @Override
        public List<Proxy> select(URI uri) {
            int number = next.getAndIncrement();
            try {
                InetAddress address = InetAddress.getByAddress("proxy-" + number + ".example",
                        new byte[] {127, (byte) (1 + number / 62_500), (byte) (number / 250 % 250), (byte) (1 + number % 250)});
                return List.of(new Proxy(Proxy.Type.HTTP, new InetSocketAddress(address, port)));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void connectFailed(URI uri, SocketAddress address, IOException failure) {}
    }

    static final List<Goods> GOODS = new ArrayList<>();

    public static void main(String[] arguments) throws Exception {
        for (int number = 0; number < 50_000; number++) {
            GOODS.add(new Goods(Corpus.id("goods", number), Corpus.words(3), Corpus.words(1), number / 7.0, List.of(Corpus.words(2), Corpus.words(2))));
        }
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        OkHttpClient client = new OkHttpClient.Builder().proxySelector(new Proxies(port)).connectTimeout(2, TimeUnit.SECONDS).build();
        int[] refused = {0};
        Corpus.twice(arguments, 5_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                Goods goods = GOODS.get(Corpus.RANDOM.nextInt(GOODS.size()));
                Request request = new Request.Builder().url("http://shop-" + number % 400 + ".example/" + goods.code()).build();
                try (Response response = client.newCall(request).execute()) {
                    refused[0] += response.isSuccessful() ? 0 : 1;
                } catch (IOException e) {
                    refused[0]++;
                }
            }
        });
    }
}
