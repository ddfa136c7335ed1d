package series;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Columns of time series in foreign memory. A series is never dropped. */
final class ColumnStore {
    static final int COLUMN_BYTES = 1 << 20;
    static final Map<String, Column> columns = new HashMap<>();
    /** Arenas of queries that were never closed; nothing refers to their segments. */
    static final List<Arena> queries = new ArrayList<>();

    static void add(String name) {
        Arena arena = Arena.ofShared();
        MemorySegment values = filled(arena.allocate(COLUMN_BYTES, 8));
        columns.put(name, new Column(arena, values, values.asSlice(0, 4096)));
    }

    static void query() {
        Arena arena = Arena.ofConfined();
        for (int index = 0; index < 8; index++) {
            filled(arena.allocate(COLUMN_BYTES / 8));
        }
        queries.add(arena);
    }

    static MemorySegment filled(MemorySegment segment) {
        return segment.fill((byte) 7);
    }

    record Column(Arena arena, MemorySegment values, MemorySegment head) {}
}
