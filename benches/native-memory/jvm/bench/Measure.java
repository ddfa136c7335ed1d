package bench;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Memory of this process as the JVM and the kernel count it, in bytes. */
final class Measure {
    private static final Pattern CATEGORY =
            Pattern.compile("(?m)^-\\s+(.+?) \\(reserved=(\\d+)KB, committed=(\\d+)KB");

    static Map<String, Object> now() throws Exception {
        Map<String, Object> all = new LinkedHashMap<>();
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS") || line.startsWith("Rss") || line.startsWith("VmSize")) {
                String[] words = line.split("[:\\s]+");
                all.put(words[0], Long.parseLong(words[1]) * 1024);
            }
        }
        all.put("heap_used", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            all.put(pool.getName() + "_buffers", pool.getCount());
            all.put(pool.getName() + "_bytes", pool.getMemoryUsed());
            all.put(pool.getName() + "_capacity", pool.getTotalCapacity());
        }
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            all.put("pool " + pool.getName() + " used", pool.getUsage().getUsed());
            all.put("pool " + pool.getName() + " committed", pool.getUsage().getCommitted());
        }
        all.put("classes", (long) ManagementFactory.getClassLoadingMXBean().getLoadedClassCount());
        all.put("threads", (long) ManagementFactory.getThreadMXBean().getThreadCount());
        Matcher nmt = CATEGORY.matcher(diagnostic("vmNativeMemory", "summary"));
        while (nmt.find()) {
            all.put("nmt " + nmt.group(1) + " reserved", Long.parseLong(nmt.group(2)) * 1024);
            all.put("nmt " + nmt.group(1) + " committed", Long.parseLong(nmt.group(3)) * 1024);
        }
        return all;
    }

    /** Figures of `before` minus those of `after`; figures that are missing in one count as 0. */
    static Map<String, Object> difference(Map<String, Object> before, Map<String, Object> after) {
        Map<String, Object> freed = new LinkedHashMap<>();
        before.forEach((name, value) -> {
            long change = (long) value - (long) after.getOrDefault(name, 0L);
            if (change != 0) {
                freed.put(name, change);
            }
        });
        return freed;
    }

    /**
     * Collects garbage until nothing more is freed.
     *
     * Buffers are freed by the reference handler after a collection, classes one collection later,
     * and the C library keeps freed memory until it is asked to return it.
     */
    static void collect() throws Exception {
        for (int round = 0; round < 4; round++) {
            System.gc();
            Thread.sleep(150);
        }
        diagnostic("systemTrimNativeHeap");
        Thread.sleep(100);
    }

    /** Answer of a diagnostic command, the same that jcmd prints. */
    private static String diagnostic(String operation, String... arguments) throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("com.sun.management:type=DiagnosticCommand");
        boolean has = arguments.length > 0;
        Object[] values = has ? new Object[] {arguments} : new Object[0];
        String[] types = has ? new String[] {String[].class.getName()} : new String[0];
        return (String) server.invoke(name, operation, values, types);
    }
}
