package logs;

import bench.Program;
import bench.Truth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Mapped files: 12 segments of 8 MiB, 3 of them read to a quarter only. */
public final class MappedFiles implements Program {
    private static final int SEGMENTS = 12;
    private static final int PARTLY_READ = 3;
    private static final int SEGMENT_BYTES = 8 << 20;

    @Override
    public void start(Path work) throws Exception {
        byte[] text = new byte[SEGMENT_BYTES];
        for (int index = 0; index < SEGMENTS; index++) {
            Arrays.fill(text, (byte) ('a' + index));
            Path file = Files.write(work.resolve("access-" + index + ".log"), text);
            LogReader.open(file, index < PARTLY_READ ? SEGMENT_BYTES / 4 : SEGMENT_BYTES);
        }
    }

    @Override
    public List<Step> fix() {
        return List.of(new Step("clear logs.LogReader.segments", LogReader.segments::clear));
    }

    @Override
    public Map<String, Object> truth() {
        long full = (SEGMENTS - PARTLY_READ) * (long) SEGMENT_BYTES;
        return new Truth("mapped-file", "logs.LogReader.segments", SEGMENTS * (long) SEGMENT_BYTES)
                .and("buffers", SEGMENTS)
                .and("touched_bytes", full + PARTLY_READ * (SEGMENT_BYTES / 4L))
                .and("touched_bytes_are", "at least: the kernel maps neighbouring pages too");
    }
}
