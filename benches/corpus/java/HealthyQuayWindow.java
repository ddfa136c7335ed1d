//! Healthy: positions of ships: for each ship the last positions in a deque, cut to a fixed length, and in each thread of a fixed pool a buffer to format
//! reports. The ships were loaded at start.
//: jars
//: libraries JDK
//: own Quay\.(ships|threads|buffers)|Ship\.track
//: set tuned
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

public class HealthyQuayWindow {
    record Position(double latitude, double longitude, int speed, int time) {}

    static final class Ship {
        final String name = Corpus.words(2);
        final String flag = Corpus.words(1);
        final Deque<Position> track = new ArrayDeque<>();

        synchronized void move(Position position) {
            track.addLast(position);
            if (track.size() > 40) {
                track.removeFirst();
            }
        }
    }

    static final class Quay {
        final List<Ship> ships = new ArrayList<>();
        final ThreadLocal<StringBuilder> buffers = ThreadLocal.withInitial(() -> new StringBuilder(200_000));
        final ExecutorService threads = Executors.newFixedThreadPool(4);

        Quay() {
            for (int number = 0; number < 4_000; number++) {
                ships.add(new Ship());
            }
        }

        void report(int request) {
            Ship ship = ships.get(request % ships.size());
            ship.move(new Position(50 + request % 9 * 0.1, 3 + request % 7 * 0.1, request % 30, request));
            StringBuilder buffer = buffers.get();
            buffer.setLength(0);
            buffer.append(ship.name).append(" flies ").append(ship.flag);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Quay quay = new Quay();
        Corpus.twice(arguments, 400_000, (from, to) -> {
            for (int batch = from; batch < to; batch += 1_000) {
                int first = batch;
                quay.threads.submit(() -> {
                    for (int request = first; request < first + 1_000; request++) {
                        quay.report(request);
                    }
                });
            }
            quay.threads.submit(() -> { }).get(30, TimeUnit.SECONDS);
            Thread.sleep(500);
        });
    }
}
