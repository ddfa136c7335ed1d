//! A Trove map of drawn tiles: its key holds the colours that a visitor chose, so tiles of one place are drawn and kept again and again.
//! The table of places is legitimate.
//: jars trove-3.jar
//: libraries Trove
//: holder TileCache\.drawn
//: set tuned
//: leak 13.9
import gnu.trove.map.hash.TIntObjectHashMap;
import gnu.trove.map.hash.TLongObjectHashMap;

public class TroveTiles {
    static final class Place {
        final String name;
        final String[] addresses = new String[3];
        final double latitude = Corpus.RANDOM.nextDouble() * 90;
        final double longitude = Corpus.RANDOM.nextDouble() * 180;

        Place() {
            name = Corpus.words(2);
            for (int at = 0; at < addresses.length; at++) {
                addresses[at] = Corpus.RANDOM.nextInt(200) + " " + Corpus.words(2) + " street";
            }
        }
    }

    static final class Tile {
        final int zoom;
        final int x;
        final int y;
        final String style;
        final byte[] picture;

        Tile(int zoom, int x, int y, String style) {
            this.zoom = zoom;
            this.x = x;
            this.y = y;
            this.style = style;
            picture = new byte[700 + Corpus.RANDOM.nextInt(600)];
            Corpus.RANDOM.nextBytes(picture);
        }
    }

    static final class TileCache {
        private final TLongObjectHashMap<Tile> drawn = new TLongObjectHashMap<>();

        Tile tile(int zoom, int x, int y, String style) {
            // The style is a part of the key, and each visitor may have his own.
            long key = ((long) zoom << 58) ^ ((long) x << 40) ^ ((long) y << 22) ^ style.hashCode();
            Tile tile = drawn.get(key);
            if (tile == null) {
                tile = new Tile(zoom, x, y, style);
                drawn.put(key, tile);
            }
            return tile;
        }
    }

    static final class Gazetteer {
        final TIntObjectHashMap<Place> places = new TIntObjectHashMap<>();

        Gazetteer() {
            for (int number = 0; number < 25000; number++) {
                places.put(number, new Place());
            }
        }
    }

    static final class MapServer {
        final Gazetteer gazetteer = new Gazetteer();
        final TileCache cache = new TileCache();

        int page(String style) {
            Place place = gazetteer.places.get(Corpus.RANDOM.nextInt(25000));
            int bytes = 0;
            for (int part = 0; part < 4; part++) {
                int x = (int) place.longitude * 4 + part % 2;
                int y = (int) place.latitude * 4 + part / 2;
                bytes += cache.tile(10, x, y, style).picture.length;
            }
            return bytes;
        }
    }

    public static void main(String[] arguments) throws Exception {
        MapServer server = new MapServer();
        Corpus.twice(arguments, 1550, (from, to) -> {
            for (int request = from; request < to; request++) {
                String style = String.format("water=%06x&land=%06x", Corpus.RANDOM.nextInt(1 << 24), Corpus.RANDOM.nextInt(1 << 24));
                server.page(style);
            }
        });
    }
}
