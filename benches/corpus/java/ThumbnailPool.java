//! Thumbnails of a photo service. A renderer is borrowed from a Commons pool without a bound and not given back when a picture is broken.
//! Beside it: the previews, a bounded cache that is full.
//: jars commons-pool2.jar
//: libraries Commons Pool
//: holder GenericObjectPool\.allObjects|Thumbnails\.renderers
//: set tuned
//: leak 5.5
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

public class ThumbnailPool {
    record Picture(String name, int width, int height, boolean broken) {}

    record Preview(String name, byte[] pixels, String caption) {}

    static final class Renderer {
        final int[] line = new int[1_024];
        final float[] weights = new float[256];
        final StringBuilder log = new StringBuilder();

        Preview render(Picture picture) {
            log.setLength(0);
            log.append(picture.name()).append(' ').append(picture.width()).append('x').append(picture.height());
            if (picture.broken()) {
                throw new IllegalArgumentException("no end of image: " + picture.name());
            }
            byte[] pixels = new byte[2_000 + picture.width() % 900];
            for (int at = 0; at < pixels.length; at++) {
                line[at % line.length] += at * picture.height();
                pixels[at] = (byte) line[at % line.length];
            }
            return new Preview(picture.name(), pixels, Corpus.words(5));
        }
    }

    static final class RendererFactory extends BasePooledObjectFactory<Renderer> {
        @Override
        public Renderer create() {
            return new Renderer();
        }

        @Override
        public PooledObject<Renderer> wrap(Renderer renderer) {
            return new DefaultPooledObject<>(renderer);
        }
    }

    static final class PreviewCache extends LinkedHashMap<String, Preview> {
        static final int BOUND = 2_800;

        PreviewCache() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Preview> eldest) {
            return size() > BOUND;
        }
    }

    static final class Thumbnails {
        final PreviewCache previews = new PreviewCache();
        final GenericObjectPool<Renderer> renderers;
        int failed;

        Thumbnails() {
            GenericObjectPoolConfig<Renderer> config = new GenericObjectPoolConfig<>();
            config.setMaxTotal(-1);
            config.setMaxIdle(8);
            config.setJmxEnabled(false);
            renderers = new GenericObjectPool<>(new RendererFactory(), config);
        }

        void show(Picture picture) throws Exception {
            Renderer renderer = renderers.borrowObject();
            try {
                Preview preview = renderer.render(picture);
                previews.put(preview.name(), preview);
                renderers.returnObject(renderer);
            } catch (IllegalArgumentException broken) {
                failed++;
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thumbnails thumbnails = new Thumbnails();
        for (int number = 0; number < PreviewCache.BOUND; number++) {
            thumbnails.show(new Picture(Corpus.id("photo", number) + ".jpg", 1_000 + number % 3_000, 800, false));
        }
        Corpus.twice(arguments, 3_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                boolean broken = number % 6 == 5;
                thumbnails.show(new Picture(Corpus.id("upload", number) + ".jpg", 1_000 + number % 3_000, 900, broken));
            }
        });
    }
}
