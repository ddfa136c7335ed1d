import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What the programs of the corpus share: two dumps of one process, and values as real programs have them. */
final class Corpus {
    /** Work of the program, for the requests `from` to `to`. */
    interface Work {
        void run(int from, int to) throws Exception;
    }

    /** Random numbers with a fixed seed: a program makes the same objects each time. */
    static final Random RANDOM = new Random(20261124);

    private static final String[] WORDS = ("order invoice customer session token region payment basket address parcel "
            + "harbour copper maple river signal window garden market bridge station meadow lantern").split(" ");

    private Corpus() {}

    /**
     * Runs `each` requests, makes the first dump, runs as many more, makes the second; then ends the process. A decoy is filled before the
     * first request, or in the first third.
     */
    static void twice(String[] arguments, int each, Work work) throws Exception {
        Decoys decoy = Decoys.ofProgram();
        int slices = decoy != null && decoy.isLazy() ? 10 : 1;
        for (int slice = 0; slice < slices; slice++) {
            if (decoy != null) {
                decoy.fill();
            }
            work.run(each * slice / slices, each * (slice + 1) / slices);
        }
        dump(arguments[0]);
        work.run(each, 2 * each);
        dump(arguments[1]);
        // Threads of libraries may still run.
        Runtime.getRuntime().halt(0);
    }

    /** A text of some words, such as a title. */
    static String words(int count) {
        StringBuilder text = new StringBuilder();
        for (int word = 0; word < count; word++) {
            text.append(word == 0 ? "" : " ").append(WORDS[RANDOM.nextInt(WORDS.length)]);
        }
        return text.toString();
    }

    /** An identifier such as `session-00012f`. */
    static String id(String kind, int number) {
        return kind + "-" + String.format("%06x", number);
    }

    /** Makes a dump as a user does: `-Dcorpus.dump=jcmd` from outside, `jcmd-all` with unreachable objects, otherwise by the bean. */
    private static void dump(String file) throws Exception {
        Files.deleteIfExists(Path.of(file));
        String tool = System.getProperty("corpus.dump", "bean");
        if (tool.equals("bean")) {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(file, true);
            return;
        }
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(ProcessHandle.current().pid()), "GC.heap_dump"));
        if (tool.equals("jcmd-all")) {
            command.add("-all");
        }
        command.add(file);
        if (new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() != 0) {
            throw new IllegalStateException("jcmd failed");
        }
    }
}
