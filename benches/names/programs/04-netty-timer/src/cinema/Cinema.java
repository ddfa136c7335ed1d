package cinema;

import names.Run;

public final class Cinema {
    private final SeatHolds holds = new SeatHolds();
    private int sold;

    private void sell(int from, int to) {
        for (int number = from; number < to; number++) {
            SeatOrder order = new SeatOrder(Run.id("order", number));
            holds.hold(order);
            sold += order.isHeld() ? 1 : 0;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Run.begin();
        Cinema cinema = new Cinema();
        cinema.sell(0, 2_000);
        Thread.sleep(300); // The wheel takes new timeouts with each tick.
        Run.before();
        cinema.sell(2_000, 20_000);
        Thread.sleep(600);
        Run.end();
        System.out.println(cinema.sold);
    }
}
