//! Netty's wheel timer keeps a deadline of 45 minutes for each ride request; an accepted request never cancels it. The street map
//! is large and legitimate.
//: jars netty-common*.jar
//: libraries Netty
//: holder Dispatcher\.timer|HashedWheelTimer\.(wheel|timeouts)
//: set tuned
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Dispatch of a taxi company: a request goes to the nearest drivers, and fails when none accepts in time. */
public class RideDeadlines {
    record Point(double latitude, double longitude) {}

    static final class Segment {
        final String street;
        final float length;
        final Point from;
        final Point to;
        final List<Segment> next = new ArrayList<>(3);

        Segment(String street, float length, Point from, Point to) {
            this.street = street;
            this.length = length;
            this.from = from;
            this.to = to;
        }
    }

    /** The streets of the city, read at start. */
    static final class StreetMap {
        final List<Segment> segments = new ArrayList<>();

        StreetMap(int count) {
            for (int at = 0; at < count; at++) {
                Segment segment = new Segment(Corpus.words(2), Corpus.RANDOM.nextFloat(), point(), point());
                for (int link = 0; link < 2 && at > 0; link++) {
                    segment.next.add(segments.get(Corpus.RANDOM.nextInt(at)));
                }
                segments.add(segment);
            }
        }
    }

    record Offer(String driver, int cents, Point position) {}

    static final class Ride {
        final String id;
        final String passenger;
        final Point pickup = point();
        final Point destination = point();
        final List<Offer> offers = new ArrayList<>();
        String driver;

        Ride(int number) {
            id = Corpus.id("ride", number);
            passenger = Corpus.words(2);
            for (int offer = 0; offer < 4; offer++) {
                offers.add(new Offer(Corpus.id("driver", Corpus.RANDOM.nextInt(4000)), 800 + Corpus.RANDOM.nextInt(3000), point()));
            }
        }
    }

    static final class Dispatcher {
        private final HashedWheelTimer timer =
                new HashedWheelTimer(new DefaultThreadFactory("dispatch-timer", true), 100, TimeUnit.MILLISECONDS, 512);
        private final Map<String, Ride> open = new HashMap<>();

        void request(Ride ride) {
            open.put(ride.id, ride);
            timer.newTimeout(timeout -> expire(timeout, ride), 45, TimeUnit.MINUTES);
        }

        /** A driver accepts. The ride is done with; its deadline is forgotten. */
        void accept(Ride ride, Offer offer) {
            ride.driver = offer.driver();
            open.remove(ride.id);
        }

        private void expire(Timeout timeout, Ride ride) {
            if (!timeout.isCancelled() && ride.driver == null) {
                open.remove(ride.id);
            }
        }
    }

    static Point point() {
        return new Point(48 + Corpus.RANDOM.nextDouble(), 11 + Corpus.RANDOM.nextDouble());
    }

    static StreetMap streets;
    static final Dispatcher DISPATCHER = new Dispatcher();

    public static void main(String[] arguments) throws Exception {
        streets = new StreetMap(80_000);
        Corpus.twice(arguments, 8_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                Ride ride = new Ride(number);
                DISPATCHER.request(ride);
                DISPATCHER.accept(ride, ride.offers.get(number % 4));
            }
            Thread.sleep(500); // The timer moves new deadlines into its wheel.
        });
    }
}
