//! Healthy: a render farm on the executors of the JDK. Frames pass through a bounded pool, results are taken from a completion service, timeouts
//! are cancelled and removed, thread locals are scratch buffers of fixed size. Scenes were loaded at start.
//: libraries JDK
//: own Scenes\.byName|SCRATCH|Farm\.recent
//: set tuned
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

public class HealthyExecutors {
    static final ThreadLocal<float[]> SCRATCH = ThreadLocal.withInitial(() -> new float[256 * 256]);

    static final class Mesh {
        final String material = Corpus.words(2);
        final float[] points = new float[900];

        Mesh() {
            for (int at = 0; at < points.length; at++) {
                points[at] = Corpus.RANDOM.nextFloat();
            }
        }
    }

    static final class Scene {
        final String title = Corpus.words(3);
        final Mesh[] meshes = new Mesh[60];

        Scene() {
            for (int at = 0; at < meshes.length; at++) {
                meshes[at] = new Mesh();
            }
        }
    }

    static final class Scenes {
        final Map<String, Scene> byName = new HashMap<>();

        Scenes() {
            for (int number = 0; number < 220; number++) {
                byName.put("scene-" + number, new Scene());
            }
        }
    }

    static final class Farm {
        private static final int KEPT = 300;
        final ThreadPoolExecutor pool = new ThreadPoolExecutor(4, 4, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(64),
                new ThreadPoolExecutor.CallerRunsPolicy());
        final CompletionService<byte[]> frames = new ExecutorCompletionService<>(pool);
        final ScheduledThreadPoolExecutor timeouts = new ScheduledThreadPoolExecutor(1);
        final Map<String, byte[]> recent = new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, byte[]> eldest) {
                return size() > KEPT;
            }
        };

        Farm() {
            timeouts.setRemoveOnCancelPolicy(true);
        }

        static byte[] render(Scene scene) {
            float[] scratch = SCRATCH.get();
            for (Mesh mesh : scene.meshes) {
                for (int at = 0; at < mesh.points.length; at++) {
                    scratch[at * 61 % scratch.length] += mesh.points[at];
                }
            }
            byte[] frame = new byte[8192];
            for (int at = 0; at < frame.length; at++) {
                frame[at] = (byte) scratch[at];
            }
            return frame;
        }

        void job(String name, Scene scene) throws Exception {
            ScheduledFuture<?> timeout = timeouts.schedule(() -> pool.purge(), 10, TimeUnit.MINUTES);
            for (int frame = 0; frame < 6; frame++) {
                frames.submit(() -> render(scene));
            }
            for (int frame = 0; frame < 6; frame++) {
                recent.put(name + "/" + frame, frames.take().get());
            }
            timeout.cancel(false);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Scenes scenes = new Scenes();
        Farm farm = new Farm();
        Corpus.twice(arguments, 1200, (from, to) -> {
            for (int request = from; request < to; request++) {
                farm.job(Corpus.id("job", request), scenes.byName.get("scene-" + Corpus.RANDOM.nextInt(220)));
            }
        });
    }
}
