//! Boards of tides subscribe at the simple broker of Spring. A board that loses its connection sends no disconnect, and its subscriptions stay
//! in the registry. Beside it, much larger: tides of the year, gauges with their readings in rings, and the sessions, which end by time.
//: jars spring3-core.jar spring3-beans.jar spring3-context.jar spring3-messaging.jar spring3-expression.jar jcl-over-slf4j.jar slf4j-api.jar slf4j-nop.jar
//: libraries Spring
//: holder DefaultSubscriptionRegistry\.subscriptionRegistry|SessionSubscriptionRegistry\.sessions|BoardBroker\.registry
//: set tuned
//: leak 3.2
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.messaging.Message;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.simp.broker.DefaultSubscriptionRegistry;
import org.springframework.messaging.support.MessageBuilder;

public class TideBoards {
    record Tide(long at, double metres, String kind) {}

    static final class Gauge {
        final String name;
        final Tide[] year = new Tide[730];
        final double[] readings = new double[1_440];

        Gauge(int number) {
            name = Corpus.words(1) + "-" + number;
            for (int tide = 0; tide < year.length; tide++) {
                year[tide] = new Tide(tide * 44_712_000L + number, Corpus.RANDOM.nextInt(900) / 100.0, tide % 2 == 0 ? "high" : "low");
            }
        }
    }

    record BoardSession(String id, String place, StringBuilder lines) {}

    static final class BoardBroker {
        private final DefaultSubscriptionRegistry registry = new DefaultSubscriptionRegistry();

        private static SimpMessageHeaderAccessor header(SimpMessageType type, String session) {
            SimpMessageHeaderAccessor header = SimpMessageHeaderAccessor.create(type);
            header.setSessionId(session);
            return header;
        }

        void subscribe(String session, int number, String destination) {
            SimpMessageHeaderAccessor header = header(SimpMessageType.SUBSCRIBE, session);
            header.setSubscriptionId("sub-" + number);
            header.setDestination(destination);
            registry.registerSubscription(MessageBuilder.createMessage(new byte[0], header.getMessageHeaders()));
        }

        void disconnect(String session) {
            registry.unregisterAllSubscriptions(session);
        }

        int receivers(String destination) {
            SimpMessageHeaderAccessor header = header(SimpMessageType.MESSAGE, "gauge");
            header.setDestination(destination);
            Message<byte[]> message = MessageBuilder.createMessage(new byte[0], header.getMessageHeaders());
            return registry.findSubscriptions(message).size();
        }
    }

    static final class TideService {
        private final BoardBroker broker = new BoardBroker();
        private final List<Gauge> gauges = new ArrayList<>();
        private final Map<String, BoardSession> sessions = new LinkedHashMap<>();

        TideService() {
            for (int number = 0; number < 700; number++) {
                gauges.add(new Gauge(number));
            }
        }

        void connect(int request) {
            BoardSession session = new BoardSession(Corpus.id("board", request), Corpus.words(3), new StringBuilder(Corpus.words(40)));
            sessions.put(session.id(), session);
            for (int number = 0; number < 5; number++) {
                broker.subscribe(session.id(), number, "/topic/tides/" + gauges.get((request + number * 17) % 700).name);
            }
            if (sessions.size() > 400) {
                // The oldest session ends: by a disconnect, or, for most boards, since nothing was heard of it.
                BoardSession ended = sessions.remove(sessions.keySet().iterator().next());
                if (request % 4 == 0) {
                    broker.disconnect(ended.id());
                }
            }
            Gauge gauge = gauges.get(Corpus.RANDOM.nextInt(700));
            gauge.readings[request % 1_440] = Corpus.RANDOM.nextInt(900) / 100.0;
            if (request % 50 == 0) {
                broker.receivers("/topic/tides/" + gauge.name);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        TideService service = new TideService();
        Corpus.twice(arguments, 900, (from, to) -> {
            for (int request = from; request < to; request++) {
                service.connect(request);
            }
        });
    }
}
