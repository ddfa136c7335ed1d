package shop;

/** What the shop remembers of a visitor. */
final class Session {
    final String visitor;
    final byte[] basket = new byte[1_000];

    Session(String visitor) {
        this.visitor = visitor;
    }
}
