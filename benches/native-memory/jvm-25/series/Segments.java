package series;

import bench.Program;
import bench.Truth;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Foreign memory: 30 columns with slices, 10 arenas without their segments, closed and automatic arenas. */
public final class Segments implements Program {
    private static final int COLUMNS = 30;
    private static final int QUERIES = 10;
    private static final int AUTOMATIC = 6;
    private static final List<MemorySegment> recent = new ArrayList<>();
    private static final List<MemorySegment> closed = new ArrayList<>();
    private static MemorySegment lookup;

    @Override
    public void start(Path work) {
        for (int index = 0; index < COLUMNS; index++) {
            ColumnStore.add("cpu." + index);
        }
        for (int index = 0; index < QUERIES; index++) {
            ColumnStore.query();
        }
        for (int index = 0; index < AUTOMATIC; index++) {
            recent.add(ColumnStore.filled(Arena.ofAuto().allocate(ColumnStore.COLUMN_BYTES)));
        }
        try (Arena arena = Arena.ofConfined()) {
            closed.add(ColumnStore.filled(arena.allocate(4 * ColumnStore.COLUMN_BYTES)));
        }
        lookup = ColumnStore.filled(Arena.global().allocate(2 * ColumnStore.COLUMN_BYTES));
    }

    @Override
    public List<Step> fix() {
        return List.of(
                new Step("close arenas of series.ColumnStore.columns", () -> {
                    ColumnStore.columns.values().forEach(column -> column.arena().close());
                    ColumnStore.columns.clear();
                }),
                new Step("close series.ColumnStore.queries", () -> ColumnStore.queries.forEach(Arena::close)),
                new Step("clear series.Segments.recent", recent::clear));
    }

    @Override
    public Map<String, Object> truth() {
        long column = ColumnStore.COLUMN_BYTES;
        return new Truth("foreign-memory", "series.ColumnStore.columns", COLUMNS * column)
                .and("query_bytes", QUERIES * column)
                .and("automatic_bytes", AUTOMATIC * column)
                .and("global_bytes", 2 * column)
                .and("closed_bytes", 4 * column)
                .and("touched_bytes", (COLUMNS + QUERIES + AUTOMATIC + 2) * column);
    }
}
