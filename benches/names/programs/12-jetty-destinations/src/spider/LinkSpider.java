package spider;

import java.net.ServerSocket;
import java.util.concurrent.CountDownLatch;
import names.Run;
import org.eclipse.jetty.client.HttpClient;

/** Checks the links of a site. The client of Jetty keeps a destination for each host that it was ever asked for (jetty/jetty.project#2860). */
public final class LinkSpider {
    private static int check(HttpClient client, int port, int from, int to) throws Exception {
        int[] broken = {0};
        for (int number = from; number < to; number += 20) {
            CountDownLatch answers = new CountDownLatch(20);
            for (int host = number; host < number + 20; host++) {
                client.newRequest("http://127." + (1 + host / 62_500) + "." + host / 250 % 250 + "." + (1 + host % 250) + ":" + port + "/" + Run.id("page", host)).send(result -> {
                    broken[0] += result.isFailed() ? 1 : 0;
                    answers.countDown();
                });
            }
            answers.await();
        }
        return broken[0];
    }

    public static void main(String[] arguments) throws Exception {
        Run.begin();
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        HttpClient client = new HttpClient();
        client.setConnectTimeout(2_000);
        client.start();
        int broken = check(client, port, 0, 500);
        Run.before();
        broken += check(client, port, 500, 5_000);
        Run.end();
        client.stop();
        System.out.println(broken);
    }
}
