package shop;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Dumps the heap of this JVM and fails if it leaks what the baseline does not accept. Copy this class into your tests.
 *
 * <p>HEAPLENS is the program (default: heaplens on the PATH), HEAPLENS_ACCEPT=1 writes the baseline.
 */
final class HeapCheck {
    private static final Path DUMPS = Path.of("build", "heap");

    private HeapCheck() {}

    /** Checks the heap under a name, which is that of its section in the baseline. */
    static void check(String name) throws IOException, InterruptedException {
        Files.createDirectories(DUMPS);
        Path dump = DUMPS.resolve(name + ".hprof");
        Files.deleteIfExists(dump);
        // Live objects only: the JVM collects garbage first.
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(dump.toString(), true);
        List<String> command = new ArrayList<>(List.of(
                System.getenv().getOrDefault("HEAPLENS", "heaplens"), "check", dump.toString(),
                "--baseline", "heap-baseline.json", "--least", "200kB"));
        if ("1".equals(System.getenv("HEAPLENS_ACCEPT"))) {
            command.add("--accept");
        } else {
            command.addAll(List.of("--sarif", DUMPS.resolve(name + ".sarif").toString(),
                    "--junit", DUMPS.resolve(name + ".junit.xml").toString(),
                    "--markdown", DUMPS.resolve(name + ".md").toString()));
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        switch (process.waitFor()) {
            case 0 -> System.out.println(output);
            case 3 -> throw new AssertionError("The heap leaks.\n" + output);
            default -> throw new IllegalStateException("heaplens check failed.\n" + output);
        }
    }
}
