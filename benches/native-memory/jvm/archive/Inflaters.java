package archive;

import bench.Program;
import bench.Truth;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Inflaters and deflaters that are in use for ever. NMT does not see what zlib allocates. */
public final class Inflaters implements Program {
    private static final int INFLATERS = 1500;
    private static final int DEFLATERS = 120;
    /** zlib: a window of 32 KiB and a state of about 7 KiB. */
    private static final long INFLATER_BYTES = (32 << 10) + 7160;
    /** zlib: 2^(window bits 15 + 2) + 2^(memory level 8 + 9) and a state of about 6 KiB. */
    private static final long DEFLATER_BYTES = (256 << 10) + 6000;

    @Override
    public void start(Path work) throws Exception {
        byte[] content = new byte[128 << 10];
        Random random = new Random(72);
        for (int at = 0; at < content.length; at++) {
            content[at] = (byte) ('a' + random.nextInt(16));
        }
        byte[] packed = null;
        for (int index = 0; index < DEFLATERS; index++) {
            packed = ArchiveIndex.write(content);
        }
        byte[] begin = new byte[48 << 10];
        for (int index = 0; index < INFLATERS; index++) {
            ArchiveIndex.read(packed, begin);
        }
    }

    @Override
    public List<Step> fix() {
        return List.of(
                new Step("end and clear archive.ArchiveIndex.openEntries", Inflaters::endInflaters),
                new Step("end and clear archive.ArchiveIndex.writers", Inflaters::endDeflaters));
    }

    private static void endInflaters() {
        ArchiveIndex.openEntries.forEach(Inflater::end);
        ArchiveIndex.openEntries.clear();
    }

    private static void endDeflaters() {
        ArchiveIndex.writers.forEach(Deflater::end);
        ArchiveIndex.writers.clear();
    }

    @Override
    public Map<String, Object> truth() {
        return new Truth("zlib", "archive.ArchiveIndex.openEntries", INFLATERS * INFLATER_BYTES)
                .and("inflaters", INFLATERS)
                .and("second_holder", "archive.ArchiveIndex.writers")
                .and("second_native_bytes", DEFLATERS * DEFLATER_BYTES)
                .and("deflaters", DEFLATERS)
                .and("native_bytes_are", "estimated from the source of zlib; freed.json measures");
    }
}
