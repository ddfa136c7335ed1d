//! Healthy: persistence with a cache of the second level: regions by entity, each an array of slots with a clock hand that replaces entities not
//! used since the last turn. All slots are taken. The tables of the database were loaded at start.
//: jars
//: libraries JDK
//: own Region\.|EntityCache\.regions|Database\.rows
//: set tuned
import java.util.HashMap;
import java.util.Map;

public class HealthyEntityRegions {
    static final class Entity {
        final String key;
        final Object[] state;
        boolean used;

        Entity(String key, Object[] state) {
            this.key = key;
            this.state = state;
        }
    }

    static final class Region {
        final Entity[] slots;
        final Map<String, Integer> slotOf = new HashMap<>();
        int hand;

        Region(int size) {
            slots = new Entity[size];
        }

        Entity find(String key) {
            Integer slot = slotOf.get(key);
            if (slot == null) {
                return null;
            }
            slots[slot].used = true;
            return slots[slot];
        }

        void put(Entity entity) {
            while (slots[hand] != null && slots[hand].used) {
                slots[hand].used = false;
                hand = (hand + 1) % slots.length;
            }
            if (slots[hand] != null) {
                slotOf.remove(slots[hand].key);
            }
            slots[hand] = entity;
            slotOf.put(entity.key, hand);
            hand = (hand + 1) % slots.length;
        }
    }

    static final class EntityCache {
        final Map<String, Region> regions = new HashMap<>();
    }

    static final class Database {
        final Map<String, Object[]> rows = new HashMap<>();

        Database() {
            for (int number = 0; number < 50_000; number++) {
                rows.put(Corpus.id("row", number), new Object[] {number, Corpus.words(2), Corpus.words(4), number * 0.5});
            }
        }
    }

    static final class Persistence {
        final Database database = new Database();
        final EntityCache cache = new EntityCache();

        Persistence() {
            for (String entity : new String[] {"Customer", "Order", "Invoice", "Address"}) {
                cache.regions.put(entity, new Region(1_500));
            }
        }

        Entity load(String kind, int number) {
            String key = kind + "#" + number;
            Region region = cache.regions.get(kind);
            Entity entity = region.find(key);
            if (entity == null) {
                Object[] row = database.rows.get(Corpus.id("row", number % 50_000));
                entity = new Entity(key, new Object[] {row[0], row[1] + " " + Corpus.words(3), Corpus.words(6), row[3]});
                region.put(entity);
            }
            return entity;
        }
    }

    static Persistence persistence;

    public static void main(String[] arguments) throws Exception {
        persistence = new Persistence();
        Corpus.twice(arguments, 60_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                String kind = new String[] {"Customer", "Order", "Invoice", "Address"}[request % 4];
                persistence.load(kind, Corpus.RANDOM.nextInt(200_000));
            }
        });
    }
}
