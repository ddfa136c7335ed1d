//! A TrieMap of Scala with the matches of a game server: a match that ends is removed, one that its players abandon is not. Templates of items
//! and terrain are legitimate.
//: jars scala-library*.jar
//: libraries Scala
//: holder MatchRegistry\.live
//: set tuned
import scala.Option;
import scala.collection.concurrent.TrieMap;
import scala.collection.mutable.HashMap;

public class ScalaMatches {
    static final class Item {
        final String name = Corpus.words(2);
        final String text = Corpus.words(12);
        final int[] strengths = new int[24];
    }

    static final class Player {
        final String name;
        final float[] place = new float[3];
        final Item[] bag = new Item[10];

        Player(String name) {
            this.name = name;
        }
    }

    static final class Match {
        final String code;
        final Player[] players = new Player[4];
        final StringBuilder log = new StringBuilder();

        Match(String code) {
            this.code = code;
            for (int at = 0; at < players.length; at++) {
                players[at] = new Player("player-" + Corpus.RANDOM.nextInt(90_000));
            }
        }
    }

    static final class MatchRegistry {
        private final TrieMap<String, Match> live = new TrieMap<>();

        Match start(String code) {
            Match match = new Match(code);
            live.put(code, match);
            return match;
        }

        void ended(String code) {
            live.remove(code);
        }

        boolean turn(String code, String event) {
            Option<Match> match = live.get(code);
            if (match.isEmpty()) {
                return false;
            }
            match.get().log.append(event).append('\n');
            return true;
        }
    }

    static final class World {
        final HashMap<String, Item> items = new HashMap<>();
        final short[][] terrain = new short[1024][2048];

        World() {
            for (int number = 0; number < 9000; number++) {
                items.put(Corpus.id("item", number), new Item());
            }
            for (short[] row : terrain) {
                for (int at = 0; at < row.length; at++) {
                    row[at] = (short) Corpus.RANDOM.nextInt(400);
                }
            }
        }
    }

    static final World WORLD = new World();
    static final MatchRegistry REGISTRY = new MatchRegistry();

    public static void main(String[] arguments) throws Exception {
        Corpus.twice(arguments, 4500, (from, to) -> {
            for (int request = from; request < to; request++) {
                String code = Corpus.id("match", request);
                Match match = REGISTRY.start(code);
                for (int turn = 0; turn < 8; turn++) {
                    Player player = match.players[turn % 4];
                    player.bag[turn] = WORLD.items.get(Corpus.id("item", Corpus.RANDOM.nextInt(9000))).get();
                    REGISTRY.turn(code, player.name + " took " + player.bag[turn].name);
                }
                boolean abandoned = request % 3 == 0;
                if (!abandoned) {
                    REGISTRY.ended(code);
                }
            }
        });
    }
}
