package shop;

import names.Run;

public final class Shop {
    static long served;

    static void serve(int from, int to) {
        for (int request = from; request < to; request++) {
            served += SessionCache.of(Run.id("session", request)).page.length;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Run.begin();
        serve(0, 2_000);
        Run.before();
        serve(2_000, 20_000);
        Run.end();
    }
}
