//! Healthy: an archive of letters. A cache made by hand, a map beside a doubly linked list of least recent use, holds as many letters as its
//! capacity. The register was loaded at start.
//: jars
//: libraries JDK
//: own LetterCache|Archive\.register
//: set tuned
import java.util.HashMap;
import java.util.Map;

public class HealthyArchiveReader {
    record Entry(String shelf, String sender, int year) {}

    static final class Letter {
        final String shelf;
        final String text = Corpus.words(30);
        final String[] keywords = {Corpus.words(1), Corpus.words(1), Corpus.words(1)};
        Letter newer;
        Letter older;

        Letter(String shelf) {
            this.shelf = shelf;
        }
    }

    static final class LetterCache {
        private final int capacity;
        private final Map<String, Letter> byShelf = new HashMap<>();
        private Letter newest;
        private Letter oldest;

        LetterCache(int capacity) {
            this.capacity = capacity;
        }

        Letter get(String shelf) {
            Letter letter = byShelf.get(shelf);
            if (letter == null) {
                letter = new Letter(shelf);
                byShelf.put(shelf, letter);
                if (byShelf.size() > capacity) {
                    byShelf.remove(oldest.shelf);
                    unlink(oldest);
                }
            } else {
                unlink(letter);
            }
            letter.older = newest;
            letter.newer = null;
            if (newest != null) {
                newest.newer = letter;
            }
            newest = letter;
            if (oldest == null) {
                oldest = letter;
            }
            return letter;
        }

        private void unlink(Letter letter) {
            if (letter.newer == null) {
                newest = letter.older;
            } else {
                letter.newer.older = letter.older;
            }
            if (letter.older == null) {
                oldest = letter.newer;
            } else {
                letter.older.newer = letter.newer;
            }
        }
    }

    static final class Archive {
        final Map<String, Entry> register = new HashMap<>();
        final LetterCache letters = new LetterCache(3_500);

        Archive() {
            for (int number = 0; number < 60_000; number++) {
                register.put(Corpus.id("shelf", number), new Entry(Corpus.id("shelf", number), Corpus.words(2), 1700 + number % 250));
            }
        }
    }

    static Archive archive;

    public static void main(String[] arguments) throws Exception {
        archive = new Archive();
        Corpus.twice(arguments, 40_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                archive.letters.get(archive.register.get(Corpus.id("shelf", request * 31 % 60_000)).shelf());
            }
        });
    }
}
