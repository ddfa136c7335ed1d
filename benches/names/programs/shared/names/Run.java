package names;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the programs share: values as real programs have them, and the dumps of a run. Each program calls `begin`, fills a tenth of its
 * structure, calls `before`, fills the rest and calls `end`.
 *
 * The run is the property `names.run`: `a` writes before.hprof and a.hprof, `b` and `c` write one dump each.
 */
public final class Run {
    private static final String RUN = System.getProperty("names.run", "a");
    private static final String FOLDER = System.getProperty("names.folder", ".");
    // The same seed in each run: the structure has the same values, other addresses.
    private static final Random RANDOM = new Random(20261130);
    private static final String[] WORDS = ("order invoice customer session token region payment basket address parcel "
            + "harbour copper maple river signal window garden market bridge station meadow lantern").split(" ");
    // Kept, so that it lies between the objects of the program.
    private static Object unrelated;

    private Run() {}

    /** Work that has nothing to do with the program: another amount and order of it in each run moves all that comes after. */
    public static void begin() {
        int rounds = RUN.equals("b") ? 7 : RUN.equals("c") ? 3 : 1;
        Random random = new Random(rounds);
        List<Object> kept = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            if (round % 2 == 1) {
                ConcurrentHashMap<Integer, String> numbers = new ConcurrentHashMap<>();
                random.ints(2_000 + random.nextInt(2_000)).forEach(number -> numbers.put(number, Integer.toHexString(number)));
                kept.add(numbers.size());
            }
            TreeMap<String, byte[]> sorted = new TreeMap<>();
            for (int number = 0; number < 1_000 + random.nextInt(3_000); number++) {
                sorted.put(Long.toString(random.nextLong(), 36), new byte[random.nextInt(200)]);
            }
            kept.add(new TreeMap<>(sorted.headMap("5")).firstEntry());
            if (round % 3 == 2) {
                System.gc();
            }
        }
        unrelated = kept;
    }

    public static void before() throws Exception {
        if (RUN.equals("a")) {
            dump("before");
        }
    }

    /** Writes the dump and ends the process, whatever threads the libraries still have. */
    public static void end() throws Exception {
        dump(RUN);
        Runtime.getRuntime().halt(unrelated == null ? 1 : 0);
    }

    private static void dump(String name) throws Exception {
        Path file = Path.of(FOLDER, name + ".hprof");
        Files.deleteIfExists(file);
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(file.toString(), true);
    }

    /** A text of some words, such as a title. */
    public static synchronized String words(int count) {
        StringBuilder text = new StringBuilder();
        for (int word = 0; word < count; word++) {
            text.append(word == 0 ? "" : " ").append(WORDS[RANDOM.nextInt(WORDS.length)]);
        }
        return text.toString();
    }

    /** An identifier such as `session-00012f`. */
    public static String id(String kind, int number) {
        return kind + "-" + String.format("%06x", number);
    }

    public static synchronized int number(int bound) {
        return RANDOM.nextInt(bound);
    }

    public static synchronized long[] numbers(int count) {
        return RANDOM.longs(count).toArray();
    }
}
