//! An atom of Clojure with a map of who is in a chat: who joins is kept by connection, who leaves is removed by name, so nobody is removed. The
//! rooms with their last messages are legitimate.
//: jars clojure.jar spec.alpha.jar core.specs.alpha.jar
//: libraries Clojure
//: holder Lobby\.presence
//: set tuned
//: leak 6.7
import clojure.java.api.Clojure;
import clojure.lang.Atom;
import clojure.lang.IFn;
import clojure.lang.IPersistentMap;
import clojure.lang.Keyword;
import clojure.lang.PersistentArrayMap;
import clojure.lang.PersistentHashMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

public class ClojurePresence {
    static final class Message {
        final String author;
        final String text;
        final long time;

        Message(String author, String text, long time) {
            this.author = author;
            this.text = text;
            this.time = time;
        }
    }

    static final class Room {
        private static final int KEPT = 100;
        final String title = Corpus.words(3);
        final Deque<Message> last = new ArrayDeque<>();

        void say(Message message) {
            if (last.size() == KEPT) {
                last.removeFirst();
            }
            last.addLast(message);
        }
    }

    static final class Lobby {
        private static final IFn SWAP = Clojure.var("clojure.core", "swap!");
        private static final IFn ASSOC = Clojure.var("clojure.core", "assoc");
        private static final IFn DISSOC = Clojure.var("clojure.core", "dissoc");
        private static final Keyword NAME = Keyword.intern("name");
        private static final Keyword ROOM = Keyword.intern("room");
        private static final Keyword AGENT = Keyword.intern("agent");
        private final Atom presence = new Atom(PersistentHashMap.EMPTY);

        void joined(String connection, String name, String room, String agent) {
            IPersistentMap person = PersistentArrayMap.EMPTY.assoc(NAME, name).assoc(ROOM, room).assoc(AGENT, agent);
            SWAP.invoke(presence, ASSOC, connection, person);
        }

        void left(String name) {
            // The key of the map is the connection, not the name.
            SWAP.invoke(presence, DISSOC, name);
        }
    }

    static final class Chat {
        final List<Room> rooms = new ArrayList<>();
        final Lobby lobby = new Lobby();

        Chat() {
            for (int room = 0; room < 500; room++) {
                rooms.add(new Room());
                for (int message = 0; message < Room.KEPT; message++) {
                    rooms.get(room).say(new Message("guest-" + message, Corpus.words(8), message));
                }
            }
        }

        void session(int number) {
            String name = "guest-" + Corpus.RANDOM.nextInt(5000);
            Room room = rooms.get(Corpus.RANDOM.nextInt(rooms.size()));
            String agent = "Mozilla/5.0 (X11; Linux x86_64; build " + Corpus.RANDOM.nextInt(100_000) + ")";
            lobby.joined(Corpus.id("connection", number), name, room.title, agent);
            room.say(new Message(name, Corpus.words(8), number));
            lobby.left(name);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Chat chat = new Chat();
        Corpus.twice(arguments, 9000, (from, to) -> {
            for (int request = from; request < to; request++) {
                chat.session(request);
            }
        });
    }
}
