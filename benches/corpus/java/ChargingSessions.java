//! Charging points for cars. The meter of a charging session is read every few seconds by a scheduled executor. The end of a session cancels the reading, which leaves the
//! executor at once, but not the table of readings. Beside it: the stations with their tariffs, sessions that run, and the receipts of the last hour, bounded.
//: jars
//: libraries JDK
//: holder ChargePark\.readings
//: set aside
//: leak 15.1
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

public class ChargingSessions {
    record Station(String number, String street, String operator, double[] centsByHour) {}

    static final class Session {
        final String number;
        final Station station;
        final String card = Corpus.id("card", ThreadLocalRandom.current().nextInt(900_000));
        final String car = Corpus.words(3);
        final float[] kilowatts = new float[60];
        volatile int reads;

        Session(int number, Station station) {
            this.number = Corpus.id("charge", number);
            this.station = station;
        }

        void read() {
            kilowatts[reads % kilowatts.length] = ThreadLocalRandom.current().nextFloat(22);
            reads++;
        }
    }

    /** The reading of a meter, which goes on until it is cancelled. */
    record Reading(Session session, ScheduledFuture<?> task) {}

    static final class ChargePark {
        private final Station[] stations = new Station[24_000];
        private final Map<String, Session> running = new ConcurrentHashMap<>();
        private final Map<String, Reading> readings = new ConcurrentHashMap<>();
        private final Deque<String> receipts = new ArrayDeque<>();
        private final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(2);

        ChargePark() {
            clock.setRemoveOnCancelPolicy(true);
            for (int number = 0; number < stations.length; number++) {
                stations[number] = new Station(Corpus.id("station", number), Corpus.words(3), Corpus.words(2), Corpus.RANDOM.doubles(24, 30, 70).toArray());
            }
        }

        void plugIn(int number) {
            Session session = new Session(number, stations[ThreadLocalRandom.current().nextInt(stations.length)]);
            readings.put(session.number, new Reading(session, clock.scheduleAtFixedRate(session::read, 5, 5, TimeUnit.SECONDS)));
            running.put(session.number, session);
        }

        void unplug(int number) {
            String id = Corpus.id("charge", number);
            Session session = running.remove(id);
            if (session != null) {
                session.read();
                readings.get(id).task.cancel(false);
                Map<String, Object> receipt = new HashMap<>(Map.of("card", session.card, "station", session.station.number, "reads", session.reads));
                synchronized (receipts) {
                    receipts.add(receipt + " " + Corpus.words(8));
                    if (receipts.size() > 3_000) {
                        receipts.remove();
                    }
                }
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        ChargePark park = new ChargePark();
        ExecutorService threads = Executors.newFixedThreadPool(10);
        Corpus.twice(arguments, 10_000, (from, to) -> {
            List<Future<?>> work = new ArrayList<>();
            for (int number = from; number < to; number++) {
                int session = number;
                work.add(threads.submit(() -> {
                    park.plugIn(session);
                    park.unplug(session - 800);
                }));
            }
            for (Future<?> part : work) {
                part.get();
            }
        });
    }
}
