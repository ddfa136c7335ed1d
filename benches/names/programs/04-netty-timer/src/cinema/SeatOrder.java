package cinema;

import names.Run;

final class SeatOrder {
    final String number;
    final String customer = Run.words(2);
    final String film = Run.words(5);
    final long[] seats = Run.numbers(30);
    private boolean held = true;

    SeatOrder(String number) {
        this.number = number;
    }

    void release() {
        held = false;
    }

    boolean isHeld() {
        return held;
    }
}
