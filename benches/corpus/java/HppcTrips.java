//! A map of HPPC with the trips of a fleet: a trip leaves it when its last message arrives, and a vehicle that loses its network never sends
//! that message. The road network is legitimate, and much larger.
//: jars hppcrt.jar
//: libraries HPPC
//: holder TripTracker\.running
//: set tuned
import com.carrotsearch.hppcrt.maps.IntObjectHashMap;
import com.carrotsearch.hppcrt.maps.LongObjectHashMap;

public class HppcTrips {
    static final class Road {
        final int number;
        final String name;
        final float[] shape = new float[60];
        final byte limit;

        Road(int number) {
            this.number = number;
            name = Corpus.words(2);
            limit = (byte) (30 + 10 * Corpus.RANDOM.nextInt(10));
            for (int at = 0; at < shape.length; at++) {
                shape[at] = 5 + Corpus.RANDOM.nextFloat() * 50;
            }
        }
    }

    static final class Position {
        final long time;
        final float latitude;
        final float longitude;
        final Road road;

        Position(long time, Road road) {
            this.time = time;
            this.road = road;
            latitude = road.shape[0];
            longitude = road.shape[1];
        }
    }

    static final class Trip {
        final long number;
        final String vehicle;
        final Position[] track = new Position[12];
        int length;

        Trip(long number, String vehicle) {
            this.number = number;
            this.vehicle = vehicle;
        }

        void moved(Position position) {
            track[length++ % track.length] = position;
        }
    }

    static final class TripTracker {
        private final LongObjectHashMap<Trip> running = new LongObjectHashMap<>();

        void message(long number, String vehicle, Position position, boolean last) {
            Trip trip = running.get(number);
            if (trip == null) {
                trip = new Trip(number, vehicle);
                running.put(number, trip);
            }
            trip.moved(position);
            if (last) {
                running.remove(number);
            }
        }
    }

    static final class RoadNetwork {
        final IntObjectHashMap<Road> roads = new IntObjectHashMap<>(60000);

        RoadNetwork() {
            for (int number = 0; number < 50000; number++) {
                roads.put(number, new Road(number));
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        RoadNetwork network = new RoadNetwork();
        TripTracker tracker = new TripTracker();
        Corpus.twice(arguments, 6000, (from, to) -> {
            for (int trip = from; trip < to; trip++) {
                String vehicle = Corpus.id("truck", trip % 400);
                boolean lost = trip % 4 == 0;
                for (int step = 0; step < 15; step++) {
                    Road road = network.roads.get(Corpus.RANDOM.nextInt(50000));
                    tracker.message(100000L + trip, vehicle, new Position(1000L * step, road), step == 14 && !lost);
                }
            }
        });
    }
}
