//! A spider checks links with the HTTP client of Jetty, which was told to forget idle destinations. A host that refuses the connection has no last connection to close, so
//! that its destination stays. Beside it, larger: the index of pages, filled at start.
//: issue jetty/jetty.project#2860
//: version Jetty 9.2.16, in Spark 2.1.2
//: from pypi pyspark 2.1.2
//: jars spark-core_2.11-2.1.2.jar slf4j-api-*.jar javax.servlet-api-*.jar
//: libraries Jetty
//: holder HttpClient\.destinations|destinations
//: set aside
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.spark_project.jetty.client.HttpClient;

public class LinkSpider {
    record Page(String address, String title, String excerpt, int[] links) {}

    static final List<Page> PAGES = new ArrayList<>();

    public static void main(String[] arguments) throws Exception {
        for (int number = 0; number < 50_000; number++) {
            PAGES.add(new Page("/" + Corpus.id("page", number), Corpus.words(4), Corpus.words(16), Corpus.RANDOM.ints(8, 0, 50_000).toArray()));
        }
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        HttpClient client = new HttpClient();
        client.setRemoveIdleDestinations(true);
        client.setConnectTimeout(2_000);
        client.start();
        int[] broken = {0};
        Corpus.twice(arguments, 2_000, (from, to) -> {
            for (int number = from; number < to; number += 20) {
                CountDownLatch answers = new CountDownLatch(20);
                for (int host = number; host < number + 20; host++) {
                    Page page = PAGES.get(Corpus.RANDOM.nextInt(PAGES.size()));
                    client.newRequest("http://127." + (1 + host / 62_500) + "." + host / 250 % 250 + "." + (1 + host % 250) + ":" + port + page.address()).send(result -> {
                        broken[0] += result.isFailed() ? 1 : 0;
                        answers.countDown();
                    });
                }
                answers.await();
            }
        });
    }
}
