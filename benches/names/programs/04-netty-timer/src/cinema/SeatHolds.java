package cinema;

import io.netty.util.HashedWheelTimer;
import io.netty.util.Timer;
import java.util.concurrent.TimeUnit;

/** Holds seats for half an hour. The timeouts are not cancelled when the seat is bought, and the wheel takes them without a limit (netty/netty#5647). */
final class SeatHolds {
    private final Timer expiry = new HashedWheelTimer(100, TimeUnit.MILLISECONDS, 512);

    void hold(SeatOrder order) {
        expiry.newTimeout(timeout -> order.release(), 30, TimeUnit.MINUTES);
    }
}
