package gateway;

import bench.Program;
import bench.Truth;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Pooled buffers of Netty: 1,000 of 40,000 bytes and 3 of 20 MiB, which get no chunk of the pool. */
public final class PooledBuffers implements Program {
    private static final int REQUESTS = 1000;
    private static final int REQUEST_BYTES = 40_000;
    private static final int UPLOADS = 3;
    private static final int UPLOAD_BYTES = 20 << 20;

    @Override
    public void start(Path work) {
        for (int request = 0; request < REQUESTS; request++) {
            RequestLog.append(request, REQUEST_BYTES);
        }
        for (int upload = 0; upload < UPLOADS; upload++) {
            RequestLog.append(upload, UPLOAD_BYTES);
        }
    }

    @Override
    public List<Step> fix() {
        return List.of(new Step("release gateway.RequestLog.pending", PooledBuffers::release));
    }

    private static void release() {
        RequestLog.pending.forEach(ByteBuf::release);
        RequestLog.pending.clear();
    }

    @Override
    public Map<String, Object> truth() {
        long pooled = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
        return new Truth("direct-buffer", "gateway.RequestLog.pending",
                        REQUESTS * (long) REQUEST_BYTES + UPLOADS * (long) UPLOAD_BYTES)
                .and("buffers", REQUESTS + UPLOADS)
                .and("memory_of_pool_by_netty", pooled)
                .and("chunk_bytes", PooledByteBufAllocator.DEFAULT.metric().chunkSize());
    }
}
