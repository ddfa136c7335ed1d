package rates;

import names.Run;

public final class Office {
    private static void day(int from, int to) {
        for (int user = from; user < to; user++) {
            new Dashboard(Run.id("user", user)).open();
        }
        RateFeed.INSTANCE.publish(1.08);
    }

    public static void main(String[] arguments) throws Exception {
        Run.begin();
        day(0, 600);
        Run.before();
        day(600, 6_000);
        Run.end();
    }
}
