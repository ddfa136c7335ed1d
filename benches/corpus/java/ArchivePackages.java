//! An archive packs documents with Commons Compress into temporary files. Each file is deleted after the download, but was also announced
//! with deleteOnExit, which keeps its path. Beside it, much larger: the finding aids, buffers in a pool, and the packages in work.
//: jars commons-compress-1*.jar
//: libraries JDK, Commons Compress
//: holder DeleteOnExitHook\.files
//: set tuned
import java.io.File;
import java.io.FileOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;

public class ArchivePackages {
    record Document(String signature, String title, int year, String[] keywords, byte[] summary) {}

    record Package(String reader, File file, List<Document> documents, String remark) {}

    static final class Packer {
        private final ArrayBlockingQueue<byte[]> buffers = new ArrayBlockingQueue<>(96);
        private final File folder;

        Packer(File folder) {
            this.folder = folder;
            while (buffers.remainingCapacity() > 0) {
                buffers.add(new byte[64 << 10]);
            }
        }

        Package pack(String reader, List<Document> documents) throws Exception {
            File file = File.createTempFile("reading-room-package-of-" + reader + "-" + Corpus.words(3).replace(' ', '-') + "-", ".zip", folder);
            file.deleteOnExit();
            byte[] buffer = buffers.take();
            try (ZipArchiveOutputStream zip = new ZipArchiveOutputStream(new FileOutputStream(file))) {
                for (Document document : documents) {
                    zip.putArchiveEntry(new ZipArchiveEntry(document.signature() + ".txt"));
                    System.arraycopy(document.summary(), 0, buffer, 0, document.summary().length);
                    zip.write(buffer, 0, document.summary().length);
                    zip.closeArchiveEntry();
                }
            } finally {
                Arrays.fill(buffer, (byte) 0);
                buffers.put(buffer);
            }
            return new Package(reader, file, documents, Corpus.words(6));
        }
    }

    static final class ReadingRoom {
        private final Packer packer;
        private final TreeMap<String, Document> findingAids = new TreeMap<>();
        private final List<String> signatures;
        private final ArrayDeque<Package> waiting = new ArrayDeque<>();

        ReadingRoom(File folder) {
            packer = new Packer(folder);
            for (int number = 0; number < 48_000; number++) {
                findingAids.put(Corpus.id("file", number), new Document(Corpus.id("file", number), Corpus.words(6), 1500 + Corpus.RANDOM.nextInt(500),
                        Corpus.words(3).split(" "), Corpus.words(12).getBytes(StandardCharsets.UTF_8)));
            }
            signatures = new ArrayList<>(findingAids.keySet());
        }

        void order(int request) throws Exception {
            List<Document> documents = new ArrayList<>();
            for (int document = 0; document < 3; document++) {
                documents.add(findingAids.get(signatures.get(Corpus.RANDOM.nextInt(signatures.size()))));
            }
            waiting.add(packer.pack(Corpus.id("reader", request % 800), documents));
            // Readers fetch their packages after a while, and correct a title.
            while (waiting.size() > 60 + request % 40) {
                Files.delete(waiting.poll().file().toPath());
            }
            Document former = documents.get(0);
            findingAids.put(former.signature(), new Document(former.signature(), Corpus.words(6), former.year(), former.keywords(), former.summary()));
        }
    }

    public static void main(String[] arguments) throws Exception {
        File folder = Files.createTempDirectory("archive-of-the-city-reading-room").toFile();
        ReadingRoom room = new ReadingRoom(folder);
        Corpus.twice(arguments, 3_500, (from, to) -> {
            for (int request = from; request < to; request++) {
                room.order(request);
            }
            if (from > 0) {
                for (Package left : room.waiting) {
                    Files.delete(left.file().toPath());
                }
                room.waiting.clear();
                folder.delete();
            }
        });
    }
}
