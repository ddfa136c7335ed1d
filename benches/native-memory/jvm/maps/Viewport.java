package maps;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Views of the tiles on screen: slices and duplicates, which share the memory of the tile. */
final class Viewport {
    static final List<ByteBuffer> visible = new ArrayList<>();

    static void show(TileCache.Tile tile) {
        ByteBuffer pixels = tile.pixels();
        visible.add(pixels.duplicate());
        visible.add(pixels.slice(0, pixels.capacity() / 2));
        visible.add(pixels.slice(pixels.capacity() / 2, 4096).asReadOnlyBuffer());
    }
}
