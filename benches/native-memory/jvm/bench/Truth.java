package bench;

import java.util.LinkedHashMap;
import java.util.Map;

/** Facts about a program, in the order in which they are added. */
public final class Truth extends LinkedHashMap<String, Object> {
    /**
     * `holder` is the field to blame, as in `maps.TileCache.tiles`; `bytes` lie outside the
     * heap, null if only the JVM knows how many.
     */
    public Truth(String kind, String holder, Long bytes) {
        put("java", System.getProperty("java.version"));
        put("kind", kind);
        put("holder", holder);
        put("native_bytes", bytes);
    }

    public Truth and(String name, Object value) {
        put(name, value);
        return this;
    }
}
