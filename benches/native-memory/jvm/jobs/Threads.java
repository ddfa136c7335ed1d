package jobs;

import bench.Program;
import bench.Truth;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Two thousand threads that wait. One in ten has touched more of its stack. */
public final class Threads implements Program {
    private static final int THREADS = 2000;

    @Override
    public void start(Path work) throws Exception {
        ImportScheduler.watch(THREADS);
    }

    @Override
    public List<Step> fix() {
        return List.of(new Step("shut down jobs.ImportScheduler.workers", Threads::stop));
    }

    private static void stop() throws InterruptedException {
        ImportScheduler.workers.shutdownNow();
        ImportScheduler.workers.awaitTermination(60, TimeUnit.SECONDS);
        ImportScheduler.workers = null;
    }

    @Override
    public Map<String, Object> truth() {
        return new Truth("thread-stack", "jobs.ImportScheduler.workers", THREADS * (1L << 20))
                .and("threads", THREADS)
                .and("native_bytes_are", "reserved: default stack size of 1 MiB for each thread")
                .and("touched_bytes_are", "in smaps and in NMT, category Thread, committed");
    }
}
