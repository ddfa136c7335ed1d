//! The one session of a gateway stays open for weeks; each trip of a vehicle becomes an attribute of the MINA session and stays
//! after the trip. Road tiles are large and legitimate.
//: jars mina2-core.jar slf4j-api.jar slf4j-nop.jar
//: libraries MINA
//: holder \battributes\b
//: set tuned
//: leak 17.8
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.mina.core.future.ConnectFuture;
import org.apache.mina.core.service.IoHandlerAdapter;
import org.apache.mina.core.session.IoSession;
import org.apache.mina.transport.vmpipe.VmPipeAcceptor;
import org.apache.mina.transport.vmpipe.VmPipeAddress;
import org.apache.mina.transport.vmpipe.VmPipeConnector;

/** Tracking of lorries: a gateway sends lines such as `trip-00012f;48.12;11.31;80`. */
public class FleetGatewayAttributes {
    record Fix(double latitude, double longitude, int speed) {}

    static final class Trip {
        final String id;
        final String vehicle = Corpus.id("lorry", Corpus.RANDOM.nextInt(500));
        final List<Fix> fixes = new ArrayList<>();
        double metres;

        Trip(String id) {
            this.id = id;
        }
    }

    static final class Tile {
        final int zoom;
        final float[] lines;
        final String[] names = new String[6];

        Tile(int zoom) {
            this.zoom = zoom;
            lines = new float[600];
            for (int at = 0; at < lines.length; at++) {
                lines[at] = Corpus.RANDOM.nextFloat();
            }
            for (int name = 0; name < names.length; name++) {
                names[name] = Corpus.words(2);
            }
        }
    }

    /** Keeps the trip that a line belongs to beside the session. */
    static final class TrackingHandler extends IoHandlerAdapter {
        final AtomicInteger lines = new AtomicInteger();

        @Override
        public void messageReceived(IoSession session, Object message) {
            String[] part = message.toString().split(";");
            Trip trip = (Trip) session.getAttribute(part[0]);
            if (trip == null) {
                trip = new Trip(part[0]);
                session.setAttribute(part[0], trip);
            }
            if (part[1].equals("end")) {
                session.setAttribute("last", trip.metres);
            } else {
                trip.fixes.add(new Fix(Double.parseDouble(part[1]), Double.parseDouble(part[2]), Integer.parseInt(part[3])));
                trip.metres += 25;
            }
            lines.incrementAndGet();
        }
    }

    static final Tile[] TILES = new Tile[7_500];

    public static void main(String[] arguments) throws Exception {
        for (int number = 0; number < TILES.length; number++) {
            TILES[number] = new Tile(8 + number % 8);
        }
        TrackingHandler handler = new TrackingHandler();
        VmPipeAcceptor acceptor = new VmPipeAcceptor();
        acceptor.setHandler(handler);
        acceptor.bind(new VmPipeAddress(5023));
        VmPipeConnector connector = new VmPipeConnector();
        connector.setHandler(new IoHandlerAdapter());
        ConnectFuture connected = connector.connect(new VmPipeAddress(5023));
        connected.awaitUninterruptibly();
        IoSession gateway = connected.getSession();
        Corpus.twice(arguments, 9_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                String trip = Corpus.id("trip", number);
                for (int fix = 0; fix < 12; fix++) {
                    gateway.write(trip + ";" + (48 + Corpus.RANDOM.nextDouble()) + ";"
                            + (11 + Corpus.RANDOM.nextDouble()) + ";" + Corpus.RANDOM.nextInt(90));
                }
                gateway.write(trip + ";end");
            }
            for (int wait = 0; wait < 600 && handler.lines.get() < to * 13; wait++) {
                Thread.sleep(50);
            }
            if (handler.lines.get() < to * 13) {
                throw new IllegalStateException("lines are missing");
            }
        });
    }
}
