package maps;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Cache of map tiles that never evicts. The pixels of a tile lie in a direct buffer. */
final class TileCache {
    static final int TILE_BYTES = 2 << 20;
    static final Map<String, Tile> tiles = new HashMap<>();

    static Tile load(int zoom, int x, int y) {
        Tile tile = new Tile(zoom, x, y, decode(x + y));
        tiles.put(zoom + "/" + x + "/" + y, tile);
        return tile;
    }

    /** Pixels of a tile. Every page is written: untouched memory would not be part of the RSS. */
    static ByteBuffer decode(int seed) {
        ByteBuffer pixels = ByteBuffer.allocateDirect(TILE_BYTES);
        for (int at = 0; at < TILE_BYTES; at += 1024) {
            pixels.put(at, (byte) (seed + at));
        }
        return pixels;
    }

    record Tile(int zoom, int x, int y, ByteBuffer pixels) {}
}
