//! A consumer of an ActiveMQ queue asks to acknowledge by itself and never does: client and broker keep each message. Tables of
//! calibration are large and legitimate.
//: jars activemq-client.jar activemq-broker.jar activemq-openwire-legacy.jar geronimo-jms_1.1_spec.jar geronimo-j2ee-management-1.1-spec.jar hawtbuf.jar slf4j-api.jar slf4j-nop.jar
//: libraries ActiveMQ
//: holder deliveredMessages|Subscription\.dispatched
//: set tuned
//: leak 15.2
import java.util.concurrent.atomic.AtomicInteger;
import javax.jms.Connection;
import javax.jms.JMSException;
import javax.jms.Message;
import javax.jms.MessageListener;
import javax.jms.MessageProducer;
import javax.jms.Queue;
import javax.jms.Session;
import javax.jms.TextMessage;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.broker.BrokerService;

/** Readings of the sensors of a plant, sent over a queue to a part that corrects and sums them. */
public class UnackedReadings {
    static final class Calibration {
        final String sensor;
        final double[] curve;

        Calibration(int number) {
            sensor = Corpus.id("sensor", number);
            curve = Corpus.RANDOM.doubles(800, 0.8, 1.2).toArray();
        }

        double correct(double value) {
            return value * curve[(int) Math.min(curve.length - 1, Math.abs(value))];
        }
    }

    static final class Corrector implements MessageListener {
        final AtomicInteger read = new AtomicInteger();
        private final Calibration[] calibrations;
        private double sum;

        Corrector(Calibration[] calibrations) {
            this.calibrations = calibrations;
        }

        @Override
        public void onMessage(Message message) {
            try {
                String text = ((TextMessage) message).getText();
                double value = Double.parseDouble(text.substring(text.indexOf("value\":") + 7, text.indexOf(",\"unit")));
                sum += calibrations[message.getIntProperty("sensor")].correct(value);
                read.incrementAndGet();
            } catch (JMSException error) {
                throw new IllegalStateException(error);
            }
        }
    }

    static String json(int number) {
        return "{\"id\":\"" + Corpus.id("reading", number) + "\",\"value\":" + Corpus.RANDOM.nextInt(70_000) / 100.0
                + ",\"unit\":\"bar\",\"line\":\"" + Corpus.words(2) + "\",\"remark\":\"" + Corpus.words(12) + "\"}";
    }

    static final Calibration[] CALIBRATIONS = new Calibration[3_000];

    public static void main(String[] arguments) throws Exception {
        for (int number = 0; number < CALIBRATIONS.length; number++) {
            CALIBRATIONS[number] = new Calibration(number);
        }
        BrokerService broker = new BrokerService();
        broker.setBrokerName("plant");
        broker.setPersistent(false);
        broker.setUseJmx(false);
        broker.start();
        broker.waitUntilStarted();
        Connection connection = new ActiveMQConnectionFactory("vm://plant?create=false").createConnection();
        connection.start();
        Session reading = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
        Queue queue = reading.createQueue("readings");
        Corrector corrector = new Corrector(CALIBRATIONS);
        reading.createConsumer(queue).setMessageListener(corrector);
        Session writing = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = writing.createProducer(queue);
        Corpus.twice(arguments, 3_500, (from, to) -> {
            for (int number = from; number < to; number++) {
                TextMessage message = writing.createTextMessage(json(number));
                message.setIntProperty("sensor", number % CALIBRATIONS.length);
                producer.send(message);
            }
            for (int wait = 0; wait < 400 && corrector.read.get() < to; wait++) {
                Thread.sleep(50);
            }
            if (corrector.read.get() < to) {
                throw new IllegalStateException("readings are missing");
            }
        });
    }
}
