package audit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import names.Run;

public final class Server {
    private final AtomicInteger number = new AtomicInteger();
    private final ExecutorService requests = Executors.newFixedThreadPool(4, task -> new Thread(task, "request-" + number.incrementAndGet()));

    private void serve(int from, int to) throws Exception {
        List<Future<?>> answers = new ArrayList<>();
        for (int request = from; request < to; request++) {
            String action = Run.id("action", request);
            answers.add(requests.submit(() -> AuditTrail.add(action)));
        }
        for (Future<?> answer : answers) {
            answer.get();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Run.begin();
        Server server = new Server();
        server.serve(0, 2_500);
        Run.before();
        server.serve(2_500, 25_000);
        Run.end();
        server.requests.shutdown();
    }
}
