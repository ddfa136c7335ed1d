//! Healthy: a music service with a Caffeine cache that is bounded by weight, and full before the first dump; a second one expires and is cleaned.
//! All tracks were loaded at start.
//: jars caffeine.jar
//: libraries Caffeine
//: own Covers\.byAlbum|Library\.tracks
//: set tuned
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

public class HealthyCaffeine {
    static final class Track {
        final String title = Corpus.words(3);
        final String artist = Corpus.words(2);
        final int seconds = 100 + Corpus.RANDOM.nextInt(300);
        final int album;

        Track(int album) {
            this.album = album;
        }
    }

    static final class Cover {
        final int album;
        final byte[] picture = new byte[3000 + Corpus.RANDOM.nextInt(4000)];

        Cover(int album) {
            this.album = album;
        }
    }

    static final class Token {
        final String user;
        final String secret = Long.toHexString(Corpus.RANDOM.nextLong());

        Token(String user) {
            this.user = user;
        }
    }

    static final class Covers {
        final LoadingCache<Integer, Cover> byAlbum = Caffeine.newBuilder().maximumWeight(16L << 20)
                .weigher((Integer album, Cover cover) -> cover.picture.length).executor(Runnable::run).build(Cover::new);
    }

    static final class Library {
        final List<Track> tracks = new ArrayList<>();
        final Covers covers = new Covers();
        final Cache<String, Token> tokens = Caffeine.newBuilder().expireAfterWrite(200, TimeUnit.MILLISECONDS).executor(Runnable::run).build();

        Library() {
            for (int number = 0; number < 120_000; number++) {
                tracks.add(new Track(number / 10));
            }
        }

        int play(String user) {
            Token token = tokens.get(user, Token::new);
            Track track = tracks.get(Corpus.RANDOM.nextInt(tracks.size()));
            return covers.byAlbum.get(track.album).picture.length + token.secret.length();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Library library = new Library();
        Corpus.twice(arguments, 15_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                library.play("listener-" + request / 3);
            }
            Thread.sleep(500);
            library.tokens.cleanUp();
        });
    }
}
