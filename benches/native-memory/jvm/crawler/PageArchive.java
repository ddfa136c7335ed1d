package crawler;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/** Files of crawled pages, each open until the program ends. */
final class PageArchive {
    private final Map<String, RandomAccessFile> pages = new HashMap<>();
    private final Map<String, FileChannel> indexes = new HashMap<>();

    void open(Path folder, String site) throws IOException {
        Path file = folder.resolve(site + ".warc");
        Files.writeString(file, site);
        pages.put(site, new RandomAccessFile(file.toFile(), "rw"));
    }

    void openIndex(Path folder, String site) throws IOException {
        Path file = folder.resolve(site + ".cdx");
        Files.writeString(file, site);
        indexes.put(site, FileChannel.open(file, StandardOpenOption.READ));
    }

    /** A file that is closed again: its descriptor does not count. */
    RandomAccessFile closed(Path folder) throws IOException {
        RandomAccessFile file = new RandomAccessFile(folder.resolve("closed.warc").toFile(), "rw");
        file.close();
        return file;
    }
}
