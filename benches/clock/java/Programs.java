import java.lang.management.ManagementFactory;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Programs with a known order of allocation. Each is a list of phases (see programs.py):
 *
 *   fill N CLASS STRUCTURE         adds N objects at once
 *   live N CLASS STRUCTURE[/K] …   N steps over the life of the program, with garbage; each Kth step adds to a structure
 *   drop PERCENT STRUCTURE         removes some entries
 *   gc                             a full collection
 *
 * Every object of their own classes has a field "tag": its number in the order of allocation, scrambled by a bijection
 * that the script inverts, so that the field rises nowhere.
 */
public final class Programs {
    static final AtomicLong NUMBER = new AtomicLong();
    static volatile Object garbage;
    static final Random random = new Random(7);
    static final long START = System.currentTimeMillis();

    /** The next number in the order of allocation, scrambled: a round of splitmix64. */
    static long tag() {
        long z = NUMBER.getAndIncrement() * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    static String word() { return Long.toHexString(random.nextLong()); }

    static final class Row { final long tag = tag(); final String name = word(); }
    static final class Numbered { final long tag = tag(); final int id; final String text = "text " + Long.toHexString(tag); Numbered(int id) { this.id = id; } }
    static final class Session { final long tag = tag(); final long created = System.currentTimeMillis(); final String user = UUID.randomUUID().toString(); }
    static final class Listener { final long tag = tag(); final byte[] data = new byte[48]; }
    static final class Event { final long tag = tag(); final long number = random.nextInt(); final Object[] values = {Long.toString(number), new int[4]}; }
    static final class Link { final long tag = tag(); Link next; final byte[] data = new byte[40]; }
    static final class Blob { final long tag = tag(); final byte[] data = new byte[200]; }
    /** A humongous object of G1 where regions have 1 MB. */
    static final class Picture { final long tag = tag(); final byte[] data = new byte[600 << 10]; }
    /** Numbers that fall, that are years in the past or the future, or of a data base. */
    static final class Ticket { final long tag = tag(); final int left; Ticket(int n) { left = 1_000_000_000 - n; } }
    static final class Deadline { final long tag = tag(); final long due = System.currentTimeMillis() + 86_400_000L * (random.nextInt(2000) - 1000); }
    static final class Order { final long tag = tag(); final long placed; Order(int n) { placed = START - 1000L * (n + 1); } }
    static final class Visit { final long tag = tag(); final long at; Visit(int n) { at = START - 86_400_000L * 300 + 60_000L * n; } }

    static Object make(String name, int n) {
        switch (name) {
            case "Row": return new Row();
            case "Numbered": return new Numbered(n);
            case "Session": return new Session();
            case "Listener": return new Listener();
            case "Event": return new Event();
            case "Link": return new Link();
            case "Blob": return new Blob();
            case "Picture": return new Picture();
            case "Ticket": return new Ticket(n);
            case "Deadline": return new Deadline();
            case "Order": return new Order(n);
            case "Visit": return new Visit(n);
            default: throw new IllegalArgumentException(name);
        }
    }

    /** A structure that objects are added to. */
    abstract static class Structure {
        abstract void add(Object value, int n);
        Collection<?> all() { throw new UnsupportedOperationException(); }
    }

    static final class OfCollection extends Structure {
        final Collection<Object> held;
        OfCollection(Collection<Object> held) { this.held = held; }
        @Override synchronized void add(Object value, int n) { held.add(value); }
        @Override Collection<?> all() { return held; }
    }

    static final class OfMap extends Structure {
        final Map<Object, Object> held;
        final boolean isOfNumbers;
        final int keys;
        OfMap(Map<Object, Object> held, boolean isOfNumbers, int keys) { this.held = held; this.isOfNumbers = isOfNumbers; this.keys = keys; }
        @Override synchronized void add(Object value, int n) {
            held.put(isOfNumbers ? (Object) (keys > 0 ? random.nextInt(keys) : n) : keys > 0 ? "key " + random.nextInt(keys) : word(), value);
        }
        @Override Collection<?> all() { return held.keySet(); }
    }

    static final class Lists extends Structure {
        final Map<String, List<Object>> held = new ConcurrentHashMap<>();
        @Override void add(Object value, int n) {
            List<Object> list = held.computeIfAbsent("user " + random.nextInt(300), key -> Collections.synchronizedList(new ArrayList<>()));
            list.add(value);
        }
    }

    /** A chain with new links in front (a stack), or at its end. */
    static final class Chain extends Structure {
        Link first, last;
        final boolean isStack;
        Chain(boolean isStack) { this.isStack = isStack; }
        @Override synchronized void add(Object value, int n) {
            Link link = (Link) value;
            if (first == null) { first = last = link; }
            else if (isStack) { link.next = first; first = link; }
            else { last.next = link; last = link; }
        }
    }

    /** An array whose elements are set in order, from its end, or anywhere. */
    static final class OfArray extends Structure {
        final Object[] held = new Object[60_000];
        final String order;
        int next;
        OfArray(String order) { this.order = order; }
        @Override synchronized void add(Object value, int n) {
            int at = order.equals("forward") ? next : order.equals("backward") ? held.length - 1 - next : (int) (next * 7919L % held.length);
            next++;
            held[at] = value;
        }
    }

    /** Keeps the last ones alone. */
    static final class Ring extends Structure {
        final Object[] held = new Object[3000];
        int next;
        @Override synchronized void add(Object value, int n) { held[next++ % held.length] = value; }
    }

    static Structure structure(String name) {
        switch (name) {
            case "list": return new OfCollection(new ArrayList<>());
            case "linked": return new OfCollection(new LinkedList<>());
            case "queue": return new OfCollection(new ConcurrentLinkedQueue<>());
            case "deque": return new OfCollection(new ArrayDeque<>());
            case "identity": return new OfCollection(Collections.newSetFromMap(new IdentityHashMap<>()));
            case "set": return new OfCollection(new HashSet<>());
            case "vector": return new OfCollection(new Vector<>());
            case "blocking": return new OfCollection(new LinkedBlockingQueue<>());
            case "map": return new OfMap(new HashMap<>(), false, 0);
            case "numbers": return new OfMap(new HashMap<>(), true, 0);
            case "concurrent": return new OfMap(new ConcurrentHashMap<>(), false, 0);
            case "tree": return new OfMap(new TreeMap<>(), false, 0);
            case "skip": return new OfMap(new ConcurrentSkipListMap<>(), false, 0);
            case "ordered": return new OfMap(new LinkedHashMap<>(), true, 0);
            // Entries are replaced at random: a cache of some keys that is filled lazily.
            case "lazy": return new OfMap(new ConcurrentHashMap<>(), true, 4000);
            case "lru": return new OfMap(new LinkedHashMap<>(16, .75f, true) {
                @Override protected boolean removeEldestEntry(Map.Entry<Object, Object> e) { return size() > 2000; } }, true, 5000);
            case "lists": return new Lists();
            case "stack": return new Chain(true);
            case "chain": return new Chain(false);
            case "forward": case "backward": case "anywhere": return new OfArray(name);
            case "ring": return new Ring();
            default: throw new IllegalArgumentException(name);
        }
    }

    static final Map<String, Structure> structures = new LinkedHashMap<>();

    static Structure named(String name) { return structures.computeIfAbsent(name, n -> structure(n.split("-")[0])); }

    /** Runs steps over the life of the program, with garbage between them, in one or several threads. */
    static void live(int steps, long churn, int threads, String[] words) throws Exception {
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            final int first = t;
            Thread thread = new Thread(() -> {
                try {
                    for (int i = first; i < steps; i += threads) {
                        for (int w = 2; w + 1 < words.length; w += 2) {
                            String[] part = words[w + 1].split("/");
                            if (part.length == 1 || i % Integer.parseInt(part[1]) == 0) named(part[0]).add(make(words[w], i), i);
                        }
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

    static void run(String program, long churn, int threads) throws Exception {
        for (String phase : program.split(";")) {
            for (String word : phase.trim().split(" ")) {
                if (Character.isLowerCase(word.charAt(0)) && word.split("/")[0].matches("[a-z]+-?\\d*") && !word.matches("fill|live|drop|gc")) named(word.split("/")[0]);
            }
        }
        String[] phases = program.split(";");
        int lives = 0;
        for (String phase : phases) lives += phase.trim().startsWith("live") ? 1 : 0;
        for (String phase : phases) {
            String[] words = phase.trim().split(" ");
            switch (words[0]) {
                case "gc": System.gc(); break;
                case "fill": for (int i = 0; i < Integer.parseInt(words[1]); i++) named(words[3]).add(make(words[2], i), i); break;
                case "live": live(Integer.parseInt(words[1]), churn / lives, threads, words); break;
                case "drop": {
                    int percent = Integer.parseInt(words[1]);
                    named(words[2]).all().removeIf(value -> random.nextInt(100) < percent);
                    break;
                }
                default: throw new IllegalArgumentException(phase);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        String file = args[1];
        run(args[0], Long.parseLong(args[3]) << 20, Integer.parseInt(args[4]));
        if (args.length > 5) { // by jcmd
            new ProcessBuilder(args[5], Long.toString(ProcessHandle.current().pid()), "GC.heap_dump", file).start().waitFor();
            return;
        }
        ManagementFactory.newPlatformMXBeanProxy(ManagementFactory.getPlatformMBeanServer(), "com.sun.management:type=HotSpotDiagnostic",
            com.sun.management.HotSpotDiagnosticMXBean.class).dumpHeap(file, Boolean.parseBoolean(args[2]));
    }
}
