//! Healthy: thumbnails. Executors with bounded queues that are always full: more jobs arrive than can be done, and the eldest is discarded. The
//! albums were loaded at start.
//: jars
//: libraries JDK
//: own Studio\.(workers|albums)|ThreadPoolExecutor|LinkedBlockingQueue|ArrayBlockingQueue
//: set tuned
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

public class HealthyThumbnailJobs {
    record Album(String title, String owner, List<String> pictures) {}

    static final class Job implements Runnable {
        final String picture;
        final int[] sizes = {64, 128, 256, 512};
        final byte[] header = new byte[160];

        Job(String picture) {
            this.picture = picture;
        }

        @Override
        public void run() {
            try {
                Thread.sleep(40);
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static final class Studio {
        final Map<Integer, Album> albums = new HashMap<>();
        final ThreadPoolExecutor[] workers = {
            new ThreadPoolExecutor(2, 2, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(4_000), new ThreadPoolExecutor.DiscardOldestPolicy()),
            new ThreadPoolExecutor(3, 3, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(6_000), new ThreadPoolExecutor.DiscardOldestPolicy()),
        };

        Studio() {
            for (int number = 0; number < 14_000; number++) {
                List<String> pictures = new ArrayList<>();
                for (int picture = 0; picture < 6; picture++) {
                    pictures.add("/albums/" + number + "/" + Corpus.words(1) + picture + ".jpg");
                }
                albums.put(number, new Album(Corpus.words(3), Corpus.words(2), pictures));
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Studio studio = new Studio();
        Corpus.twice(arguments, 60_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                Album album = studio.albums.get(Corpus.RANDOM.nextInt(14_000));
                studio.workers[request % 2].execute(new Job(album.pictures().get(request % 6) + "?" + request));
            }
        });
    }
}
