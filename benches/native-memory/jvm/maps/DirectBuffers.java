package maps;

import bench.Program;
import bench.Truth;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Direct buffers: 26 in a cache, 8 of them seen through three views each, 3 are garbage. */
public final class DirectBuffers implements Program {
    private static final int TILES = 26;
    private static final int VISIBLE = 8;
    private static final int GARBAGE = 3;

    @Override
    public void start(Path work) {
        for (int index = 0; index < TILES; index++) {
            TileCache.Tile tile = TileCache.load(14, 8500 + index, 5300);
            if (index < VISIBLE) {
                Viewport.show(tile);
            }
        }
        for (int index = 0; index < GARBAGE; index++) {
            TileCache.decode(index);
        }
    }

    @Override
    public List<Step> fix() {
        return List.of(
                new Step("clear maps.TileCache.tiles", TileCache.tiles::clear),
                new Step("clear maps.Viewport.visible", Viewport.visible::clear));
    }

    @Override
    public Map<String, Object> truth() {
        long tile = TileCache.TILE_BYTES;
        return new Truth("direct-buffer", "maps.TileCache.tiles", TILES * tile)
                .and("buffers", TILES)
                .and("touched_bytes", (TILES + GARBAGE) * tile)
                .and("garbage_buffers", GARBAGE)
                .and("garbage_bytes", GARBAGE * tile)
                .and("views", 3 * VISIBLE)
                .and("freed_by_clearing_holder", (TILES - VISIBLE) * tile)
                .and("second_holder", "maps.Viewport.visible")
                .and("held_by_both_bytes", VISIBLE * tile)
                .and("freed_by_clearing_both", TILES * tile);
    }
}
