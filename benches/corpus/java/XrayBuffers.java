//! X-ray pictures of a hospital are packed in buffers from a pool, which keeps them by their exact size. Pictures differ in size, so that a returned buffer hardly ever
//! fits, and the pool grows with each picture. Beside it, larger: the patients with their findings, read at start, and the last thumbnails, bounded by bytes.
//: jars
//: libraries JDK
//: holder BufferPool\.idleBySize
//: set aside
//: leak 56.7
//: heap 1g
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.Deflater;

public class XrayBuffers {
    static final class BufferPool {
        private final Map<Integer, Deque<byte[]>> idleBySize = new ConcurrentHashMap<>();

        byte[] borrow(int size) {
            byte[] buffer = idleBySize.computeIfAbsent(size, key -> new ConcurrentLinkedDeque<>()).poll();
            return buffer != null ? buffer : new byte[size];
        }

        void giveBack(byte[] buffer) {
            idleBySize.get(buffer.length).push(buffer);
        }
    }

    record Patient(String number, String name, String insurance, List<String> findings) {}

    static final class Radiology {
        private final BufferPool pool = new BufferPool();
        private final Patient[] patients = new Patient[230_000];
        private final Deque<byte[]> thumbnails = new ArrayDeque<>();
        private long thumbnailBytes;
        private long packed;

        Radiology() {
            for (int number = 0; number < patients.length; number++) {
                patients[number] = new Patient(Corpus.id("patient", number), Corpus.words(2), Corpus.words(3), List.of(Corpus.words(8), Corpus.words(9)));
            }
        }

        void picture(int number) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            int height = 150 + random.nextInt(190);
            int width = 60 + random.nextInt(90);
            byte[] buffer = pool.borrow(height * width);
            for (int at = 0; at < buffer.length; at += 3) {
                buffer[at] = (byte) (at / width + number);
            }
            Deflater deflater = new Deflater(Deflater.BEST_SPEED);
            deflater.setInput(buffer);
            deflater.finish();
            byte[] thumbnail = new byte[400 + random.nextInt(800)];
            int bytes = deflater.deflate(thumbnail);
            deflater.end();
            pool.giveBack(buffer);
            synchronized (thumbnails) {
                packed += bytes;
                thumbnails.add(thumbnail);
                thumbnailBytes += thumbnail.length;
                while (thumbnailBytes > 600_000) {
                    thumbnailBytes -= thumbnails.remove().length;
                }
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Radiology radiology = new Radiology();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        Corpus.twice(arguments, 1_500, (from, to) -> {
            List<Future<?>> work = new ArrayList<>();
            for (int number = from; number < to; number++) {
                int picture = number;
                work.add(threads.submit(() -> radiology.picture(picture)));
            }
            for (Future<?> part : work) {
                part.get();
            }
        });
    }
}
