package shop;

import java.util.HashMap;
import java.util.Map;

/** A program with sessions. SESSIONS_LEFT plants a leak: so many sessions are never closed. */
final class Shop {
    static final Map<String, Session> OPEN = new HashMap<>();

    private static final int LEFT = Integer.parseInt(System.getenv().getOrDefault("SESSIONS_LEFT", "0"));

    static void visit(int visitor) {
        String name = "visitor-" + visitor;
        OPEN.put(name, new Session(name));
        if (visitor >= LEFT) {
            OPEN.remove(name);
        }
    }
}
