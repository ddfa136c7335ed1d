//! Seats of a cinema are held for half an hour by timeouts of a wheel of Netty, which are not cancelled when the seat is bought. The wheel takes them without a
//! limit, and each keeps its order. Beside it, larger: the plans of the halls, filled at start.
//: issue netty/netty#5647
//: version Netty 4.0.43, without the limit that it offers since
//: from pypi pyspark 2.1.2
//: jars netty-all-4.0*.jar
//: libraries Netty
//: holder HashedWheel|wheel\b|SeatHolds\.timer|Cinema\.timer
//: set tuned
import io.netty.util.HashedWheelTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

public class SeatHolds {
    record Hall(String name, int[][] seats) {}

    record Order(String number, String guest, String film, String[] seats, byte[] code) {}

    static final class Cinema {
        final List<Hall> halls = new ArrayList<>();
        final HashedWheelTimer timer = new HashedWheelTimer();
        int freed;

        Cinema() {
            for (int number = 0; number < 4_000; number++) {
                halls.add(new Hall(Corpus.words(2), new int[20][24]));
            }
        }

        void hold(int number) {
            Order order = new Order(Corpus.id("order", number), Corpus.words(2), Corpus.words(3), new String[] {"A" + number % 30, "B" + number % 30}, new byte[40]);
            timer.newTimeout(timeout -> free(order), 30, TimeUnit.MINUTES);
        }

        void free(Order order) {
            freed += order.seats().length;
        }
    }

    static Cinema cinema;

    public static void main(String[] arguments) throws Exception {
        cinema = new Cinema();
        Corpus.twice(arguments, 9_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                cinema.hold(number);
            }
            // The wheel takes over what was added with its next ticks.
            Thread.sleep(600);
        });
    }
}
