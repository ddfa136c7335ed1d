//! Healthy: a store of keys and values with a limit of bytes. When it is exceeded, the least recently used of some sampled keys goes. It has been at
//! its limit for long. The schemas were loaded at start.
//: jars
//: libraries JDK
//: own KeyStore\.(values|keys|schemas)
//: set tuned
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class HealthySampledStore {
    static final class Value {
        final byte[] bytes;
        long used;
        int at;

        Value(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    record Schema(String name, List<String> fields) {}

    static final class KeyStore {
        static final long LIMIT = 5_000_000;
        final Map<String, Value> values = new HashMap<>();
        final List<String> keys = new ArrayList<>();
        final Map<String, Schema> schemas = new HashMap<>();
        long bytes;
        long clock;

        KeyStore() {
            for (int number = 0; number < 20_000; number++) {
                schemas.put(Corpus.id("schema", number), new Schema(Corpus.words(2), List.of(Corpus.words(1), Corpus.words(2), Corpus.words(1), Corpus.words(2))));
            }
        }

        void put(String key, byte[] content) {
            Value value = new Value(content);
            value.used = clock++;
            value.at = keys.size();
            keys.add(key);
            values.put(key, value);
            bytes += content.length;
            while (bytes > LIMIT) {
                String victim = null;
                for (int sample = 0; sample < 5; sample++) {
                    String candidate = keys.get(Corpus.RANDOM.nextInt(keys.size()));
                    if (victim == null || values.get(candidate).used < values.get(victim).used) {
                        victim = candidate;
                    }
                }
                Value removed = values.remove(victim);
                String moved = keys.remove(keys.size() - 1);
                if (!moved.equals(victim)) {
                    keys.set(removed.at, moved);
                    values.get(moved).at = removed.at;
                }
                bytes -= removed.bytes.length;
            }
        }
    }

    static KeyStore store;

    public static void main(String[] arguments) throws Exception {
        store = new KeyStore();
        Corpus.twice(arguments, 60_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                store.put("user:" + request + ":profile", new byte[100 + Corpus.RANDOM.nextInt(600)]);
            }
        });
    }
}
