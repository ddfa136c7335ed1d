//! Aerial pictures of fields by URL, each behind a soft reference, with the token of the visitor in the URL: no entry is found again, and the pictures
//! stay until memory is short. Beside it: the fields with their outlines, and the newest visits.
//: jars
//: libraries JDK
//: holder PictureService\.tilesByUrl
//: set tuned
//: leak 8.3
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public class AerialTiles {
    record Field(String name, String owner, double[] outline) {}

    record Visit(String visitor, String url, long at) {}

    static final class Picture {
        final String url;
        final byte[] pixels = new byte[1_800 + Corpus.RANDOM.nextInt(700)];
        final String licence = Corpus.words(5);

        Picture(String url) {
            this.url = url;
            Corpus.RANDOM.nextBytes(pixels);
        }
    }

    static final class PictureService {
        private final Map<String, SoftReference<Picture>> tilesByUrl = new ConcurrentHashMap<>();

        Picture load(String url) {
            SoftReference<Picture> known = tilesByUrl.get(url);
            Picture picture = known == null ? null : known.get();
            if (picture == null) {
                picture = new Picture(url);
                tilesByUrl.put(url, new SoftReference<>(picture));
            }
            return picture;
        }
    }

    static final class Land {
        private final List<Field> fields = new ArrayList<>();
        private final List<Visit> newest = new ArrayList<>();
        private final PictureService pictures = new PictureService();

        Land() {
            for (int number = 0; number < 15_000; number++) {
                double[] outline = new double[40 + Corpus.RANDOM.nextInt(30)];
                java.util.Arrays.setAll(outline, at -> 48 + at / 1000.0);
                fields.add(new Field(Corpus.words(2), Corpus.words(2), outline));
            }
        }

        void visit(int request) {
            Field field = fields.get(Corpus.RANDOM.nextInt(fields.size()));
            String url = "https://tiles.example.org/" + field.name.replace(' ', '-') + "?token=" + Corpus.id("visitor", request);
            pictures.load(url);
            newest.add(new Visit(Corpus.id("visitor", request), url, 1_764_000_000_000L + request * 900L));
            if (newest.size() > 2_000) {
                newest.subList(0, 500).clear();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Land land = new Land();
        Corpus.twice(arguments, 1_600, (from, to) -> {
            for (int request = from; request < to; request++) {
                land.visit(request);
            }
        });
    }
}
