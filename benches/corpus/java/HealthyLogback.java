//! Healthy: a parcel service logs with Logback: a logger for each depot, an asynchronous appender with a bounded queue, a ring of the last events,
//! and the context of the log is cleared after each parcel.
//: jars logback-classic.jar logback-core.jar slf4j-api.jar
//: libraries Logback, SLF4J
//: own Network\.(routes|depots)|CyclicBuffer|\.cb\b
//: set tuned
import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.read.CyclicBufferAppender;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

public class HealthyLogback {
    static final class Depot {
        final String name;
        final org.slf4j.Logger log;
        long parcels;

        Depot(String name) {
            this.name = name;
            log = LoggerFactory.getLogger("depots." + name.replace('-', '.'));
        }
    }

    static final class Route {
        final Depot from;
        final Depot to;
        final int[] minutes = new int[48];
        final String carrier = Corpus.words(2);

        Route(Depot from, Depot to) {
            this.from = from;
            this.to = to;
        }
    }

    static final class Network {
        final List<Depot> depots = new ArrayList<>();
        final Map<String, Route> routes = new HashMap<>();

        Network() {
            for (int number = 0; number < 900; number++) {
                depots.add(new Depot(Corpus.id("depot", number)));
            }
            for (int number = 0; number < 40_000; number++) {
                Depot from = depots.get(Corpus.RANDOM.nextInt(900)), to = depots.get(Corpus.RANDOM.nextInt(900));
                routes.put(from.name + ">" + to.name, new Route(from, to));
            }
        }

        void send(String parcel) {
            MDC.put("parcel", parcel);
            try {
                Depot depot = depots.get(Corpus.RANDOM.nextInt(900));
                depot.parcels++;
                depot.log.info("parcel {} for {} is at {}", parcel, Corpus.words(4), depot.name);
            } finally {
                MDC.clear();
            }
        }
    }

    static void configure() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%d %level %logger{20} [%X{parcel}] %msg%n");
        encoder.start();
        FileAppender<ILoggingEvent> file = new FileAppender<>();
        file.setContext(context);
        file.setFile("parcels.log");
        file.setEncoder(encoder);
        file.start();
        AsyncAppender async = new AsyncAppender();
        async.setContext(context);
        async.setQueueSize(2048);
        async.addAppender(file);
        async.start();
        CyclicBufferAppender<ILoggingEvent> last = new CyclicBufferAppender<>();
        last.setContext(context);
        last.setMaxSize(4000);
        last.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.INFO);
        root.addAppender(async);
        root.addAppender(last);
    }

    public static void main(String[] arguments) throws Exception {
        configure();
        Network network = new Network();
        Corpus.twice(arguments, 9000, (from, to) -> {
            for (int request = from; request < to; request++) {
                network.send(Corpus.id("parcel", request));
            }
            Thread.sleep(800);
        });
    }
}
