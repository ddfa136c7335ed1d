//! Healthy: alarms of machines. A bounded ArrayBlockingQueue is full since its reader is slow, and drops its head for each new alarm; a bounded
//! deque keeps the last acknowledged. The machines were loaded at start.
//: jars
//: libraries JDK
//: own Inbox\.(waiting|acknowledged)|Plant\.machines
//: set tuned
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingDeque;

public class HealthyAlarmInbox {
    static final class Machine {
        final String serial = Corpus.id("machine", Corpus.RANDOM.nextInt());
        final String hall = Corpus.words(2);
        final float[] limits = new float[24];
    }

    record Alarm(int number, Machine machine, String text, long time) {}

    static final class Inbox {
        final BlockingQueue<Alarm> waiting = new ArrayBlockingQueue<>(8_000);
        final BlockingDeque<Alarm> acknowledged = new LinkedBlockingDeque<>(3_000);

        void add(Alarm alarm) {
            while (!waiting.offer(alarm)) {
                Alarm dropped = waiting.poll();
                if (dropped.number() % 3 == 0) {
                    while (!acknowledged.offerLast(dropped)) {
                        acknowledged.pollFirst();
                    }
                }
            }
        }
    }

    static final class Plant {
        final List<Machine> machines = new ArrayList<>();
        final Inbox inbox = new Inbox();

        Plant() {
            for (int number = 0; number < 40_000; number++) {
                machines.add(new Machine());
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Plant plant = new Plant();
        Corpus.twice(arguments, 90_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                Machine machine = plant.machines.get(Corpus.RANDOM.nextInt(plant.machines.size()));
                plant.inbox.add(new Alarm(number, machine, "Pressure of " + Corpus.words(3) + " is " + number % 97, number * 1000L));
            }
        });
    }
}
