//! Healthy: ticks of an exchange in the ring buffer of the Disruptor, whose slots were made at start and are filled again and again. The
//! instruments were loaded at start.
//: jars disruptor.jar
//: libraries Disruptor
//: own Ticker\.(ring|instruments)|RingBuffer
//: set tuned
import com.lmax.disruptor.BatchEventProcessor;
import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.RingBuffer;
import java.util.HashMap;
import java.util.Map;

public class HealthyTickRing {
    static final class Tick {
        String instrument;
        String venue;
        double price;
        long time;
    }

    record Instrument(String isin, String name, String market, double[] closes) {}

    static final class Ticker {
        final Map<String, Instrument> instruments = new HashMap<>();
        final RingBuffer<Tick> ring = RingBuffer.createSingleProducer(Tick::new, 1 << 15, new BlockingWaitStrategy());
        volatile double sum;

        Ticker() {
            for (int number = 0; number < 20_000; number++) {
                String isin = Corpus.id("DE", number);
                instruments.put(isin, new Instrument(isin, Corpus.words(3), Corpus.words(1), Corpus.RANDOM.doubles(30, 5, 900).toArray()));
            }
            BatchEventProcessor<Tick> processor = new BatchEventProcessor<>(ring, ring.newBarrier(), (tick, sequence, end) -> sum += tick.price);
            ring.addGatingSequences(processor.getSequence());
            Thread reader = new Thread(processor, "ticks");
            reader.setDaemon(true);
            reader.start();
        }

        void publish(int number) {
            long sequence = ring.next();
            Tick tick = ring.get(sequence);
            tick.instrument = Corpus.id("DE", number % 20_000);
            tick.venue = Corpus.words(1);
            tick.price = Corpus.RANDOM.nextDouble();
            tick.time = number;
            ring.publish(sequence);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Ticker ticker = new Ticker();
        Corpus.twice(arguments, 200_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                ticker.publish(number);
            }
        });
    }
}
