package jobs;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Scheduler of imports with a thread for each feed. The executor is never shut down. */
final class ImportScheduler {
    static final CountDownLatch newData = new CountDownLatch(1);
    static ExecutorService workers;

    static void watch(int feeds) throws InterruptedException {
        workers = Executors.newFixedThreadPool(feeds);
        CountDownLatch started = new CountDownLatch(feeds);
        for (int feed = 0; feed < feeds; feed++) {
            int depth = feed % 10 == 0 ? 400 : 4;
            workers.execute(() -> parse(depth, started));
        }
        started.await();
    }

    /** Nested elements of a feed: the deeper, the more of the stack is touched. */
    private static int parse(int depth, CountDownLatch started) {
        if (depth > 0) {
            return parse(depth - 1, started) + 1;
        }
        started.countDown();
        try {
            newData.await();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        return 0;
    }
}
