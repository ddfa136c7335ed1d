//! Healthy: scans of documents. Commons Pool lends buffers and keeps as many idle ones as allowed; the pool is full. The profiles were loaded at start.
//: jars commons-pool2.jar
//: libraries Commons Pool
//: own Scanner\.(buffers|profiles)|GenericObjectPool
//: set tuned
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;

public class HealthyScanBuffers {
    static final class Buffer {
        final byte[] page = new byte[12_000 + Corpus.RANDOM.nextInt(6_000)];
        final int[] histogram = new int[64];
        String owner;
    }

    record Profile(String name, String colour, double[] curve) {}

    static final class Scanner {
        final Map<String, Profile> profiles = new HashMap<>();
        final GenericObjectPool<Buffer> buffers = new GenericObjectPool<>(new BasePooledObjectFactory<>() {
            @Override
            public Buffer create() {
                return new Buffer();
            }

            @Override
            public PooledObject<Buffer> wrap(Buffer buffer) {
                return new DefaultPooledObject<>(buffer);
            }
        });

        Scanner() {
            buffers.setMaxTotal(500);
            buffers.setMaxIdle(300);
            for (int number = 0; number < 25_000; number++) {
                profiles.put(Corpus.id("profile", number), new Profile(Corpus.words(2), Corpus.words(1), Corpus.RANDOM.doubles(40).toArray()));
            }
        }

        void scan(int job) throws Exception {
            List<Buffer> lent = new ArrayList<>();
            for (int page = 0; page < 340; page++) {
                Buffer buffer = buffers.borrowObject();
                buffer.owner = Corpus.id("job", job);
                lent.add(buffer);
            }
            for (Buffer buffer : lent) {
                buffers.returnObject(buffer);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Scanner scanner = new Scanner();
        Corpus.twice(arguments, 60, (from, to) -> {
            for (int job = from; job < to; job++) {
                scanner.scan(job);
            }
        });
    }
}
