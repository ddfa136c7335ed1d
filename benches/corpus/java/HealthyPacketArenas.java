//! Healthy: a relay for packets takes its buffers from the pooled allocator of Netty and releases each. The arenas and the caches of the threads are full after the first
//! packets. The table of routes was loaded at start.
//: jars netty-buffer.jar netty-common.jar
//: libraries Netty
//: own PooledByteBufAllocator|PoolArena|PoolChunk|Recycler|Relay\.(routes|buffers|waiting)|FastThreadLocal|InternalThreadLocalMap
//: set aside
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

public class HealthyPacketArenas {
    record Route(String prefix, String next, int metric, String remark) {}

    static final class Relay {
        final Map<Integer, Route> routes = new HashMap<>();
        final PooledByteBufAllocator buffers = new PooledByteBufAllocator(false, 3, 0, 8192, 8);
        final Deque<ByteBuf> waiting = new ArrayDeque<>();
        long bytes;

        Relay() {
            for (int number = 0; number < 50_000; number++) {
                routes.put(number, new Route("10." + number / 250 + "." + number % 250 + ".0/24", Corpus.words(2), number % 90, Corpus.words(6)));
            }
        }

        void packet() {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            Route route = routes.get(random.nextInt(50_000));
            ByteBuf buffer = buffers.heapBuffer(200 + random.nextInt(3_000));
            buffer.writeCharSequence(route.prefix() + " " + route.remark(), java.nio.charset.StandardCharsets.US_ASCII);
            buffer.writeZero(random.nextInt(100));
            ByteBuf oldest = null;
            synchronized (waiting) {
                waiting.add(buffer);
                bytes += buffer.readableBytes();
                if (waiting.size() > 400) {
                    oldest = waiting.remove();
                }
            }
            if (oldest != null) {
                oldest.release();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Relay relay = new Relay();
        ExecutorService threads = Executors.newFixedThreadPool(5, new DefaultThreadFactory("relay"));
        Corpus.twice(arguments, 120_000, (from, to) -> {
            List<Future<?>> work = new ArrayList<>();
            for (int start = from; start < to; start += 400) {
                work.add(threads.submit(() -> {
                    for (int number = 0; number < 400; number++) {
                        relay.packet();
                    }
                }));
            }
            for (Future<?> part : work) {
                part.get();
            }
        });
    }
}
