package archive;

import java.util.ArrayList;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Index of open entries of archives. Entries are closed without end() of their coders. */
final class ArchiveIndex {
    static final List<Inflater> openEntries = new ArrayList<>();
    static final List<Deflater> writers = new ArrayList<>();

    /** Reads the begin of an entry. `content` is longer than the window of zlib: that fills it. */
    static void read(byte[] packed, byte[] content) throws DataFormatException {
        Inflater inflater = new Inflater();
        inflater.setInput(packed);
        inflater.inflate(content);
        openEntries.add(inflater);
    }

    static byte[] write(byte[] content) {
        Deflater deflater = new Deflater();
        deflater.setInput(content);
        deflater.finish();
        byte[] packed = new byte[content.length + 64];
        int length = deflater.deflate(packed);
        writers.add(deflater);
        byte[] entry = new byte[length];
        System.arraycopy(packed, 0, entry, 0, length);
        return entry;
    }
}
