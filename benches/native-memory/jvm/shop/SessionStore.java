package shop;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sessions of a shop. They are added at login and never expire. */
final class SessionStore {
    static final Map<String, Session> sessions = new HashMap<>();

    static void login(int number) {
        List<Item> cart = new ArrayList<>();
        for (int item = 0; item < 6; item++) {
            cart.add(new Item("article " + (number * 6 + item), 100 + item));
        }
        sessions.put("session-" + number, new Session("customer-" + number, cart, new byte[2048]));
    }

    record Session(String customer, List<Item> cart, byte[] page) {}

    record Item(String article, int cents) {}
}
