//! A fleet of dredgers logs with Logback's sifting appender, which makes an appender for each voyage, with a ring of its last events. A voyage is never marked as
//! finished, and the time after which an idle appender goes is a month. Beside it: the charts of depths, and the log of each dredger, a fixed ring.
//: jars logback-classic.jar logback-core.jar slf4j-api.jar
//: libraries Logback
//: holder AppenderTracker|AbstractComponentTracker\.(liveMap|lingerersMap)|SiftingAppender(Base)?\.appenderTracker
//: set aside
//: leak 12.0
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

public class DredgerLogs {
    private static final String SETTINGS = "<configuration><appender name='voyages' class='ch.qos.logback.classic.sift.SiftingAppender'>"
            + "<discriminator><key>voyage</key><defaultValue>none</defaultValue></discriminator><timeout>30 days</timeout>"
            + "<sift><appender name='voyage-${voyage}' class='ch.qos.logback.core.read.CyclicBufferAppender'><maxSize>64</maxSize></appender></sift>"
            + "</appender><root level='info'><appender-ref ref='voyages'/></root></configuration>";

    record Sounding(float depth, float east, float north, String ground) {}

    static final class Dredger {
        final String name = Corpus.words(2);
        final String[] lines = new String[40];
        int written;

        synchronized void note(String line) {
            lines[written++ % lines.length] = line;
        }
    }

    static final class Fleet {
        private final Logger log = LoggerFactory.getLogger(Fleet.class);
        private final List<Sounding> chart = new ArrayList<>();
        private final List<Dredger> dredgers = new ArrayList<>();

        Fleet() {
            for (int number = 0; number < 110_000; number++) {
                chart.add(new Sounding(Corpus.RANDOM.nextFloat() * 40, number % 700, number / 700f, Corpus.words(2)));
            }
            for (int number = 0; number < 150; number++) {
                dredgers.add(new Dredger());
            }
        }

        void voyage(int number) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            Dredger dredger = dredgers.get(random.nextInt(dredgers.size()));
            MDC.put("voyage", Corpus.id("voyage", number));
            try {
                for (int step = 0; step < 6; step++) {
                    Sounding sounding = chart.get(random.nextInt(chart.size()));
                    log.info("{} takes {} tons of {} from {} m", dredger.name, random.nextInt(900), sounding.ground, sounding.depth);
                    dredger.note(Corpus.words(6) + " " + sounding.depth);
                }
            } finally {
                MDC.remove("voyage");
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(new ByteArrayInputStream(SETTINGS.getBytes(StandardCharsets.UTF_8)));
        Fleet fleet = new Fleet();
        ExecutorService threads = Executors.newFixedThreadPool(6);
        Corpus.twice(arguments, 2_000, (from, to) -> {
            List<Future<?>> work = new ArrayList<>();
            for (int number = from; number < to; number++) {
                int voyage = number;
                work.add(threads.submit(() -> fleet.voyage(voyage)));
            }
            for (Future<?> part : work) {
                part.get();
            }
        });
    }
}
