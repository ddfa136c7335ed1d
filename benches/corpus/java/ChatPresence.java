//! A chat server. Each connection registers itself at the event bus and never unregisters: closed sessions stay subscribed.
//! Beside it: the history of the rooms in a Guava multimap, bounded for each room and larger.
//: jars guava.jar
//: libraries Guava
//: holder SubscriberRegistry\.subscribers|ChatServer\.bus
//: set tuned
import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ListMultimap;
import com.google.common.eventbus.EventBus;
import com.google.common.eventbus.Subscribe;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class ChatPresence {
    static final int ROOMS = 400;

    record Message(String room, String author, long sent, String text) {}

    record Joined(String user, String room) {}

    record RoomClosed(String room) {}

    static final class ChatSession {
        final String user;
        final String device;
        final Map<String, String> settings = new HashMap<>();
        final Deque<Message> unsent = new ArrayDeque<>();

        ChatSession(String user, String device) {
            this.user = user;
            this.device = device;
            settings.put("locale", "de-CH");
            settings.put("status", Corpus.words(4));
            settings.put("avatar", "https://chat.example.org/avatars/" + user + ".png");
        }

        @Subscribe
        public void closed(RoomClosed event) {
            unsent.removeIf(message -> message.room().equals(event.room()));
        }
    }

    static final class History {
        final ListMultimap<String, Message> byRoom = ArrayListMultimap.create(ROOMS, 200);

        void add(Message message) {
            List<Message> messages = byRoom.get(message.room());
            if (messages.size() == 200) {
                messages.remove(0);
            }
            messages.add(message);
        }
    }

    static final class ChatServer {
        final EventBus bus = new EventBus("presence");
        final History history = new History();
        final Map<String, ChatSession> online = new HashMap<>();

        void connect(int number) {
            ChatSession session = new ChatSession(Corpus.id("user", number), "Mozilla/5.0 (" + Corpus.words(3) + ")");
            online.put(session.user, session);
            bus.register(session);
            for (int line = 0; line < 4; line++) {
                Message message = message(session.user);
                history.add(message);
                session.unsent.add(message);
            }
        }

        /** The connection is gone. The bus is not told. */
        void disconnect(int number) {
            online.remove(Corpus.id("user", number));
        }

        Message message(String author) {
            return new Message(Corpus.id("room", Corpus.RANDOM.nextInt(ROOMS)), author, System.nanoTime(), Corpus.words(6));
        }
    }

    public static void main(String[] arguments) throws Exception {
        ChatServer server = new ChatServer();
        for (int line = 0; line < ROOMS * 240; line++) {
            server.history.add(server.message("archive"));
        }
        Corpus.twice(arguments, 2_600, (from, to) -> {
            for (int number = from; number < to; number++) {
                server.connect(number);
                if (number >= 50) {
                    server.disconnect(number - 50);
                }
                if (number % 500 == 499) {
                    server.bus.post(new RoomClosed(Corpus.id("room", number % ROOMS)));
                }
            }
        });
    }
}
