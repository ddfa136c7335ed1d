package desk;

import names.Run;

public final class Desk {
    private static void work(int from, int to) {
        for (int number = from; number < to; number++) {
            new OrderPanel(Run.id("order", number)).open();
        }
        DeskEvents.BUS.post(new DeskEvents.OrderChanged(Run.id("order", from), "paid"));
    }

    public static void main(String[] arguments) throws Exception {
        Run.begin();
        work(0, 1_000);
        Run.before();
        work(1_000, 12_000);
        Run.end();
    }
}
