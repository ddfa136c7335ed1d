package gateway;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Deque;

/** Bodies of requests that wait for a log server that is down. Buffers are never released. */
final class RequestLog {
    static final Deque<ByteBuf> pending = new ArrayDeque<>();

    static void append(int request, int bytes) {
        ByteBuf body = PooledByteBufAllocator.DEFAULT.directBuffer(bytes);
        while (body.isWritable()) {
            body.writeByte(request);
        }
        pending.add(body);
    }
}
