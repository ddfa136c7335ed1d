import java.lang.management.ManagementFactory;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Programs with a known order of allocation. Every object of their own classes has a field "tag": its number in the
 * order of allocation, scrambled by a bijection that the script inverts, so that the field rises nowhere.
 */
public final class Programs {
    static final AtomicLong NUMBER = new AtomicLong();
    static volatile Object garbage;

    /** The next number in the order of allocation, scrambled: a round of splitmix64. */
    static long tag() {
        long z = NUMBER.getAndIncrement() * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    static final class Row { final long tag = tag(); final String name; final Row related; Row(String name, Row related) { this.name = name; this.related = related; } }
    static final class Numbered { final long tag = tag(); final int id; final String text; Numbered(int id) { this.id = id; text = "text " + Long.toHexString(tag); } }
    static final class Session { final long tag = tag(); final long created = System.currentTimeMillis(); final String user; Session(String user) { this.user = user; } }
    static final class Listener { final long tag = tag(); final byte[] data = new byte[48]; final Object source; Listener(Object source) { this.source = source; } }
    static final class Event { final long tag = tag(); final long number; final Object[] values; Event(long number) { this.number = number; values = new Object[] {Long.toString(number), new int[4]}; } }
    static final class Link { final long tag = tag(); final Link next; final byte[] data = new byte[40]; Link(Link next) { this.next = next; } }
    static final class Job { final long tag = tag(); Job next; final Object work = new byte[64]; }
    static final class Blob { final long tag = tag(); final byte[] data; Blob(int bytes) { data = new byte[bytes]; } }

    final Random random = new Random(7);
    final List<Object> keep = new ArrayList<>();
    final int scale;
    final long churn;
    final int threads;

    Programs(int scale, long churn, int threads) { this.scale = scale; this.churn = churn; this.threads = threads; }

    interface Step { void run(int step) throws Exception; }

    /** Runs steps over the life of the program, with garbage between them, in one or several threads. */
    void live(int steps, Step step) throws Exception {
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            final int first = t;
            Thread thread = new Thread(() -> {
                try {
                    for (int i = first; i < steps; i += threads) {
                        step.run(i);
                        for (long left = churn / steps; left > 0; left -= 2048) { garbage = new byte[2032]; }
                        if (i % 64 == 0) Thread.sleep(1);
                    }
                } catch (Exception e) { throw new RuntimeException(e); }
            }, "worker-" + t);
            all.add(thread);
            thread.start();
        }
        for (Thread thread : all) thread.join();
    }

    String word() { return Long.toHexString(random.nextLong()); }

    void run(String program) throws Exception {
        int table = 3 * scale, leak = scale;
        switch (program) {
            case "list-map": {
                ArrayList<Row> rows = new ArrayList<>(); keep.add(rows);
                Row last = null;
                for (int i = 0; i < table; i++) { last = new Row(word(), last); rows.add(last); }
                Map<String, Session> sessions = new ConcurrentHashMap<>(); keep.add(sessions);
                live(leak, i -> { Session s = new Session(UUID.randomUUID().toString()); sessions.put(s.user, s); });
                break;
            }
            case "map-list": {
                Map<String, Row> rows = new HashMap<>(); keep.add(rows);
                for (int i = 0; i < table; i++) { String w = word(); rows.put(w, new Row(w, null)); }
                List<Listener> listeners = Collections.synchronizedList(new ArrayList<>()); keep.add(listeners);
                live(leak, i -> listeners.add(new Listener(rows)));
                break;
            }
            case "array-queue": {
                Row[] rows = new Row[table]; keep.add(rows);
                for (int i = 0; i < table; i++) rows[i] = new Row(word(), null);
                Queue<Event> events = new ConcurrentLinkedQueue<>(); keep.add(events);
                live(leak, i -> events.add(new Event(random.nextInt())));
                break;
            }
            case "numbered": {
                Map<Integer, Numbered> rows = new HashMap<>(); keep.add(rows);
                for (int i = 0; i < table; i++) rows.put(i, new Numbered(i));
                List<Event> events = Collections.synchronizedList(new ArrayList<>()); keep.add(events);
                live(leak, i -> events.add(new Event(i)));
                break;
            }
            case "tree-set": {
                TreeMap<String, Row> rows = new TreeMap<>(); keep.add(rows);
                for (int i = 0; i < table; i++) { String w = word(); rows.put(w, new Row(w, null)); }
                Set<Session> sessions = ConcurrentHashMap.newKeySet(); keep.add(sessions);
                live(leak, i -> sessions.add(new Session(word())));
                break;
            }
            case "two-leaks": {
                Map<Long, Session> fast = new ConcurrentHashMap<>(); keep.add(fast);
                List<Blob> slow = Collections.synchronizedList(new ArrayList<>()); keep.add(slow);
                live(2 * leak, i -> { Session s = new Session("u" + i); fast.put(s.tag, s); if (i % 5 == 0) slow.add(new Blob(200)); });
                break;
            }
            case "stopped": {
                List<Row> first = Collections.synchronizedList(new ArrayList<>()); keep.add(first);
                List<Listener> second = Collections.synchronizedList(new ArrayList<>()); keep.add(second);
                live(2 * leak, i -> { if (i < leak) first.add(new Row(word(), null)); else second.add(new Listener(first)); });
                break;
            }
            case "stack": {
                List<Numbered> rows = new LinkedList<>(); keep.add(rows);
                for (int i = 0; i < table; i++) rows.add(new Numbered(i * 3));
                Link[] head = new Link[1]; keep.add(head);
                live(leak, i -> { synchronized (head) { head[0] = new Link(head[0]); } });
                break;
            }
            // Set aside before tuning.
            case "lru-deque": {
                Map<String, Row> rows = new LinkedHashMap<>(); keep.add(rows);
                for (int i = 0; i < table; i++) { String w = word(); rows.put(w, new Row(w, null)); }
                Map<Integer, Blob> cache = Collections.synchronizedMap(new LinkedHashMap<>(16, .75f, true) {
                    @Override protected boolean removeEldestEntry(Map.Entry<Integer, Blob> e) { return size() > 2000; } }); keep.add(cache);
                Deque<Event> events = new ConcurrentLinkedDeque<>(); keep.add(events);
                live(leak, i -> { cache.put(random.nextInt(5000), new Blob(100)); events.add(new Event(random.nextInt())); });
                break;
            }
            case "chain-identity": {
                Set<Row> rows = new HashSet<>(); keep.add(rows);
                for (int i = 0; i < table; i++) rows.add(new Row(word(), null));
                Job first = new Job(); Job[] last = {first}; keep.add(first);
                live(leak, i -> { Job job = new Job(); synchronized (last) { last[0].next = job; last[0] = job; } });
                break;
            }
            case "blocks": {
                List<List<Numbered>> rows = new ArrayList<>(); keep.add(rows);
                for (int i = 0; i < table / 20; i++) { List<Numbered> some = new ArrayList<>(); for (int j = 0; j < 20; j++) some.add(new Numbered(random.nextInt())); rows.add(some); }
                Map<String, List<Blob>> blocks = new ConcurrentHashMap<>(); keep.add(blocks);
                live(leak, i -> blocks.computeIfAbsent("user " + random.nextInt(500), k -> Collections.synchronizedList(new ArrayList<>())).add(new Blob(60)));
                break;
            }
            case "late-table": {
                Map<String, Session> sessions = new ConcurrentHashMap<>(); keep.add(sessions);
                live(leak, i -> { String w = word(); sessions.put(w, new Session(w)); });
                ArrayList<Row> rows = new ArrayList<>(); keep.add(rows);
                for (int i = 0; i < table / 3; i++) rows.add(new Row(word(), null));
                List<Listener> listeners = Collections.synchronizedList(new ArrayList<>()); keep.add(listeners);
                live(leak, i -> listeners.add(new Listener(rows)));
                break;
            }
            default: throw new IllegalArgumentException(program);
        }
    }

    static Object held;

    public static void main(String[] args) throws Exception {
        String program = args[0], file = args[1];
        boolean live = Boolean.parseBoolean(args[2]);
        Programs it = new Programs(Integer.parseInt(args[3]), Long.parseLong(args[4]) << 20, Integer.parseInt(args[5]));
        held = it;
        it.run(program);
        if (args.length > 6) { // by jcmd
            new ProcessBuilder(args[6], Long.toString(ProcessHandle.current().pid()), "GC.heap_dump", file).start().waitFor();
            return;
        }
        ManagementFactory.newPlatformMXBeanProxy(ManagementFactory.getPlatformMBeanServer(), "com.sun.management:type=HotSpotDiagnostic",
            com.sun.management.HotSpotDiagnosticMXBean.class).dumpHeap(file, live);
    }
}
