package logs;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Reader of log segments. A segment is mapped at first use and stays mapped after rotation. */
final class LogReader {
    static final List<Segment> segments = new ArrayList<>();

    /** Maps a file and reads one byte in each page of the first `touched` bytes. */
    static void open(Path file, int touched) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MappedByteBuffer lines =
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            int sum = 0;
            for (int at = 0; at < touched; at += 4096) {
                sum += lines.get(at);
            }
            segments.add(new Segment(file.getFileName().toString(), lines, sum));
        }
    }

    record Segment(String name, MappedByteBuffer lines, int checksum) {}
}
