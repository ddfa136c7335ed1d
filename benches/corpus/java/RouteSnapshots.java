//! Couriers' routes are written with Kryo by three workers, each with its own serializer, which is told not to reset after a graph: it keeps each
//! object it has ever written. Beside it: the road graph, a pool of buffers, and the last snapshots as bytes, bounded.
//: jars kryo-shaded-4*.jar minlog-1*.jar objenesis-3*.jar
//: libraries Kryo
//: holder MapReferenceResolver\.writtenObjects|SnapshotWriter\.SERIALIZER|Kryo\.referenceResolver
//: set tuned
import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class RouteSnapshots {
    static final class Stop {
        String address;
        String parcel;
        int minute;
        double[] position;
    }

    static final class Route {
        String courier;
        String vehicle;
        List<Stop> stops = new ArrayList<>();
    }

    static final class RoadGraph {
        final int[][] neighbours = new int[100_000][];
        final float[][] metres = new float[100_000][];

        RoadGraph() {
            for (int crossing = 0; crossing < neighbours.length; crossing++) {
                int roads = 2 + Corpus.RANDOM.nextInt(4);
                neighbours[crossing] = Corpus.RANDOM.ints(roads, 0, neighbours.length).toArray();
                metres[crossing] = new float[roads];
                for (int road = 0; road < roads; road++) {
                    metres[crossing][road] = 20 + Corpus.RANDOM.nextInt(900);
                }
            }
        }
    }

    static final class SnapshotWriter {
        private static final ThreadLocal<Kryo> SERIALIZER = ThreadLocal.withInitial(() -> {
            Kryo kryo = new Kryo();
            kryo.setReferences(true);
            // Routes that share stops shall be written once. Nobody calls reset().
            kryo.setAutoReset(false);
            return kryo;
        });
        private final ArrayBlockingQueue<byte[]> buffers = new ArrayBlockingQueue<>(40);
        private final ArrayBlockingQueue<byte[]> latest = new ArrayBlockingQueue<>(900);

        SnapshotWriter() {
            for (int buffer = 0; buffer < 40; buffer++) {
                buffers.add(new byte[64 * 1024]);
            }
        }

        void write(Route route) {
            byte[] buffer = buffers.poll();
            Output output = new Output(buffer);
            SERIALIZER.get().writeObject(output, route);
            byte[] bytes = output.toBytes();
            buffers.add(buffer);
            synchronized (latest) {
                if (latest.remainingCapacity() == 0) {
                    latest.poll();
                }
                latest.add(bytes);
            }
        }
    }

    static final class Dispatch {
        private final RoadGraph roads = new RoadGraph();
        private final SnapshotWriter writer = new SnapshotWriter();
        private final ExecutorService workers = Executors.newFixedThreadPool(3);

        void plan(int request) throws Exception {
            Route route = new Route();
            route.courier = Corpus.id("courier", request % 120);
            route.vehicle = Corpus.words(2);
            int crossing = Corpus.RANDOM.nextInt(100_000);
            for (int minute = 0; minute < 24; minute++) {
                Stop stop = new Stop();
                stop.address = Corpus.words(4);
                stop.parcel = Corpus.id("parcel", request * 24 + minute);
                stop.minute = minute * 9;
                stop.position = new double[] {crossing / 265.0, roads.metres[crossing][0]};
                route.stops.add(stop);
                crossing = roads.neighbours[crossing][0];
            }
            workers.submit(() -> writer.write(route)).get();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Dispatch dispatch = new Dispatch();
        Corpus.twice(arguments, 1_500, (from, to) -> {
            for (int request = from; request < to; request++) {
                dispatch.plan(request);
            }
        });
    }
}
