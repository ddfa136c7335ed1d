//! Healthy: map tiles. An LRUMap of Commons Collections keeps the last tiles, and is full. The index of places was loaded at start.
//: jars commons-collections3.jar
//: libraries Commons Collections
//: own TileServer\.(tiles|places)|LRUMap
//: set tuned
import java.util.HashMap;
import java.util.Map;
import org.apache.commons.collections.map.LRUMap;

public class HealthyMapTiles {
    record Tile(String path, byte[] picture, long modified) {}

    record Place(String name, String kind, double latitude, double longitude) {}

    static final class TileServer {
        final Map<String, Place> places = new HashMap<>();
        @SuppressWarnings("unchecked")
        final Map<String, Tile> tiles = new LRUMap(2_500);
        long served;

        TileServer() {
            for (int number = 0; number < 90_000; number++) {
                places.put(Corpus.id("place", number), new Place(Corpus.words(2), Corpus.words(1), Corpus.RANDOM.nextDouble(), Corpus.RANDOM.nextDouble()));
            }
        }

        Tile tile(String path) {
            Tile tile = tiles.get(path);
            if (tile == null) {
                tile = new Tile(path, new byte[600 + Corpus.RANDOM.nextInt(2_000)], served);
                tiles.put(path, tile);
            }
            served++;
            return tile;
        }
    }

    public static void main(String[] arguments) throws Exception {
        TileServer server = new TileServer();
        Corpus.twice(arguments, 25_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                server.tile("/" + request % 17 + "/" + request + "/" + Corpus.RANDOM.nextInt(4_000) + ".png");
            }
        });
    }
}
