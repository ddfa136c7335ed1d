//! A fleet of lorries. A list appender of Logback, left from a test, stays at the root logger and keeps each event with its arguments.
//! Beside it: the tracks of the lorries in buffers of fixed length, and the zones of the map.
//: jars logback-classic.jar logback-core.jar slf4j-api.jar
//: libraries Logback
//: holder ListAppender\.list
//: set tuned
//: leak 3.5
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

public class FleetLog {
    static final int LORRIES = 500;

    record Zone(String name, double[] corners) {}

    record Position(double latitude, double longitude, int speed) {}

    static final class Lorry {
        final String plate;
        final double[] latitudes = new double[600];
        final double[] longitudes = new double[600];
        int next;

        Lorry(String plate) {
            this.plate = plate;
        }

        void at(Position position) {
            latitudes[next % latitudes.length] = position.latitude();
            longitudes[next % longitudes.length] = position.longitude();
            next++;
        }
    }

    static final class Fleet {
        private static final Logger LOG = LoggerFactory.getLogger(Fleet.class);
        final Map<String, Lorry> byPlate = new HashMap<>();
        final List<Zone> zones = new ArrayList<>();

        Fleet() {
            for (int number = 0; number < LORRIES; number++) {
                Lorry lorry = new Lorry(Corpus.id("plate", number));
                byPlate.put(lorry.plate, lorry);
            }
            for (int number = 0; number < 4_000; number++) {
                zones.add(new Zone(Corpus.words(2) + " " + number, new double[24]));
            }
        }

        void receive(int message) {
            Lorry lorry = byPlate.get(Corpus.id("plate", Corpus.RANDOM.nextInt(LORRIES)));
            Position position = new Position(47 + Corpus.RANDOM.nextDouble(), 15 + Corpus.RANDOM.nextDouble(), message % 95);
            MDC.put("lorry", lorry.plate);
            MDC.put("trace", Corpus.id("trace", message));
            try {
                lorry.at(position);
                Zone zone = zones.get(Corpus.RANDOM.nextInt(zones.size()));
                LOG.info("{} is in {} at {} km/h", lorry.plate, zone.name(), position.speed());
            } finally {
                MDC.clear();
            }
        }
    }

    static void configure() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.detachAndStopAllAppenders();
        root.setLevel(Level.INFO);
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        appender.setName("recent");
        appender.setContext(context);
        appender.start();
        root.addAppender(appender);
    }

    public static void main(String[] arguments) throws Exception {
        configure();
        Fleet fleet = new Fleet();
        Corpus.twice(arguments, 9_000, (from, to) -> {
            for (int message = from; message < to; message++) {
                fleet.receive(message);
            }
        });
    }
}
