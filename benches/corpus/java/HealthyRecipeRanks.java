//! Healthy: pictures of recipes in a cache that the application made, which drops the one that was asked for least often; its lists by frequency hold as many pictures as
//! allowed. The recipes were loaded at start.
//: jars
//: libraries JDK
//: own FrequencyCache|Kitchen\.(pictures|recipes)
//: set aside
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public class HealthyRecipeRanks {
    record Recipe(String title, List<String> ingredients, String text) {}

    /** Keeps `capacity` values; the least frequently used goes first. */
    static final class FrequencyCache<K, V> {
        static final class Slot<V> {
            final V value;
            int uses = 1;

            Slot(V value) {
                this.value = value;
            }
        }

        final int capacity;
        final Map<K, Slot<V>> slots = new HashMap<>();
        final TreeMap<Integer, LinkedHashSet<K>> keysByUses = new TreeMap<>();

        FrequencyCache(int capacity) {
            this.capacity = capacity;
        }

        V get(K key) {
            Slot<V> slot = slots.get(key);
            if (slot == null) {
                return null;
            }
            leave(key, slot.uses);
            slot.uses = Math.min(slot.uses + 1, 30);
            keysByUses.computeIfAbsent(slot.uses, uses -> new LinkedHashSet<>()).add(key);
            return slot.value;
        }

        void put(K key, V value) {
            if (slots.size() >= capacity) {
                K least = keysByUses.firstEntry().getValue().iterator().next();
                leave(least, slots.remove(least).uses);
            }
            slots.put(key, new Slot<>(value));
            keysByUses.computeIfAbsent(1, uses -> new LinkedHashSet<>()).add(key);
        }

        private void leave(K key, int uses) {
            LinkedHashSet<K> keys = keysByUses.get(uses);
            keys.remove(key);
            if (keys.isEmpty()) {
                keysByUses.remove(uses);
            }
        }
    }

    static final class Kitchen {
        final Map<Integer, Recipe> recipes = new HashMap<>();
        final FrequencyCache<String, byte[]> pictures = new FrequencyCache<>(6_000);
        long bytes;

        Kitchen() {
            for (int number = 0; number < 16_000; number++) {
                recipes.put(number, new Recipe(Corpus.words(3), List.of(Corpus.words(2), Corpus.words(2), Corpus.words(1)), Corpus.words(16)));
            }
        }

        void ask() {
            int number = Corpus.RANDOM.nextInt(4) == 0 ? Corpus.RANDOM.nextInt(600) : Corpus.RANDOM.nextInt(16_000);
            String key = recipes.get(number).title() + "/" + number + "/" + Corpus.RANDOM.nextInt(4);
            byte[] picture = pictures.get(key);
            if (picture == null) {
                picture = new byte[900 + Corpus.RANDOM.nextInt(900)];
                pictures.put(key, picture);
            }
            bytes += picture.length;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Kitchen kitchen = new Kitchen();
        Corpus.twice(arguments, 90_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                kitchen.ask();
            }
        });
    }
}
