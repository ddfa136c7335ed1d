package big;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Builds one large heap of a known shape and dumps it (live objects only).
 *
 * <p>{@code list N}: a linked list of N nodes, which ends whoever walks a graph by recursion.
 * {@code array N}: one array of N small objects, a single parent with N children.
 * {@code shop N}: about N objects as applications have them: records with strings, lists, maps,
 * boxed numbers and references across. The graph is the same each time, from one fixed seed.
 *
 * <p>Usage: {@code java big.MakeDumps SHAPE N FILE.hprof}
 */
public final class MakeDumps {
    /** Everything built hangs on one of these three, so that the dump has a plain first row. */
    static Node head;
    static Object[] elements;
    static Shop shop;

    /** One node of the list. Built from the end, so that no pointer to the last one is needed. */
    static final class Node {
        final Node next;
        final int position;

        Node(Node next, int position) {
            this.next = next;
            this.position = position;
        }
    }

    static final class Element {
        final int index;

        Element(int index) {
            this.index = index;
        }
    }

    public static void main(String[] arguments) throws Exception {
        int count = Integer.parseInt(arguments[1]);
        switch (arguments[0]) {
            case "list":
                for (int i = count - 1; i >= 0; i--) {
                    head = new Node(head, i);
                }
                break;
            case "array":
                elements = new Object[count];
                for (int i = 0; i < count; i++) {
                    elements[i] = new Element(i);
                }
                break;
            case "shop":
                shop = new Shop(count);
                break;
            default:
                throw new IllegalArgumentException("no shape " + arguments[0]);
        }
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(arguments[2], true);
    }
}

/** Customers, their orders and a search index over both, grown to a wished number of objects. */
final class Shop {
    private static final String[] WORDS = {
        "amber", "basket", "copper", "delta", "ember", "forest", "garnet", "harbour",
        "indigo", "juniper", "kettle", "lantern", "marble", "nectar", "orchid", "pepper",
    };

    final List<Customer> customers = new ArrayList<>();
    final Map<String, List<Order>> index = new HashMap<>();
    final Order[] recent = new Order[1_000];

    private final SplittableRandom random = new SplittableRandom(20_240_229L);
    private long made;
    private Order lastOrder;

    Shop(long wished) {
        while (made < wished) {
            customers.add(customer());
        }
    }

    private Customer customer() {
        Customer customer = new Customer();
        customer.number = 1_000_000L + customers.size();
        customer.name = text(2);
        customer.email = text(1);
        customer.attributes.put("city", text(1));
        customer.attributes.put("level", random.nextInt(10_000));
        customer.attributes.put("notes", text(4));
        // The customer, its map with a table and three nodes, its list with an array, the box.
        made += 1 + 2 + 3 + 2 + 1;
        if (!customers.isEmpty()) {
            // References across: few owners dominate much, as in real heaps.
            customer.invitedBy = customers.get(random.nextInt(customers.size()));
        }
        int orders = 1 + random.nextInt(5);
        for (int i = 0; i < orders; i++) {
            customer.orders.add(order(customer));
        }
        return customer;
    }

    private Order order(Customer customer) {
        Order order = new Order();
        order.customer = customer;
        order.placed = 1_700_000_000_000L + made;
        order.before = lastOrder;
        lastOrder = random.nextInt(1_000) == 0 ? null : order;
        int lines = 1 + random.nextInt(4);
        order.lines = new Line[lines];
        for (int i = 0; i < lines; i++) {
            Line line = new Line();
            line.article = WORDS[random.nextInt(WORDS.length)];
            line.price = random.nextInt(1, 100_000) / 100.0;
            line.quantity = random.nextInt(1, 9);
            order.lines[i] = line;
        }
        if (random.nextInt(4) == 0) {
            order.comment = text(6);
        }
        if (random.nextInt(8) == 0) {
            order.label = new byte[64 + random.nextInt(512)];
            made++;
        }
        recent[random.nextInt(recent.length)] = order;
        if (random.nextInt(3) == 0) {
            String word = WORDS[random.nextInt(WORDS.length)] + random.nextInt(50_000);
            index.computeIfAbsent(word, unused -> new ArrayList<>(2)).add(order);
            // Often a new entry: a string of two objects, a node, a list of two; counted as found.
            made += 3;
        }
        made += 2 + lines;
        return order;
    }

    /** A new string of that many words: two objects. */
    private String text(int words) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < words; i++) {
            text.append(WORDS[random.nextInt(WORDS.length)]).append(random.nextInt(100)).append(' ');
        }
        made += 2;
        return text.toString();
    }

    static final class Customer {
        long number;
        String name;
        String email;
        Customer invitedBy;
        final List<Order> orders = new ArrayList<>(4);
        final Map<String, Object> attributes = new HashMap<>();
    }

    static final class Order {
        Customer customer;
        Order before;
        Line[] lines;
        String comment;
        byte[] label;
        long placed;
    }

    static final class Line {
        String article;
        double price;
        int quantity;
    }
}
