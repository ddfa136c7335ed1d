//! A lottery takes its draws from a lazy stream of Vavr. The position moves on, but the head of the stream is kept as well, and with it
//! each draw since the start. Beside it: the tickets of the week, replaced as weeks pass, and the shops.
//: jars vavr-0.x.jar vavr-match-0.x.jar
//: libraries Vavr
//: holder DrawSchedule\.draws|Stream\$Cons|StreamModule
//: set tuned
import io.vavr.collection.HashMap;
import io.vavr.collection.Stream;
import io.vavr.collection.Vector;
import java.util.ArrayList;
import java.util.List;

public class LotteryDraws {
    record Draw(int number, String game, Vector<Integer> balls, String notary, String protocol) {
        static Draw following(Draw former) {
            int number = former == null ? 0 : former.number + 1;
            return new Draw(number, "game " + number % 12, Vector.fill(6, () -> 1 + Corpus.RANDOM.nextInt(49)), Corpus.words(2), Corpus.words(9));
        }
    }

    record Ticket(String shop, int[] picks, String holder, long cents) {}

    static final class Shop {
        final String name = Corpus.words(3);
        final List<String> terminals = new ArrayList<>();
        final long[] turnover = new long[52];

        Shop() {
            for (int terminal = 0; terminal < 4; terminal++) {
                terminals.add(Corpus.words(2));
            }
        }
    }

    static final class DrawSchedule {
        private final Stream<Draw> draws = Stream.iterate(Draw.following(null), Draw::following);
        private Stream<Draw> next = draws;

        Draw take() {
            Draw draw = next.head();
            next = next.tail();
            return draw;
        }

        Draw first() {
            return draws.head();
        }
    }

    static final class Lottery {
        private final DrawSchedule schedule = new DrawSchedule();
        private final List<Shop> shops = new ArrayList<>();
        private HashMap<Integer, List<Ticket>> tickets = HashMap.empty();

        Lottery() {
            for (int shop = 0; shop < 9_000; shop++) {
                shops.add(new Shop());
            }
            for (int game = 0; game < 12; game++) {
                tickets = tickets.put(game, sold(game));
            }
        }

        private List<Ticket> sold(int week) {
            List<Ticket> sold = new ArrayList<>();
            int count = 4_800 + Corpus.RANDOM.nextInt(400);
            for (int number = 0; number < count; number++) {
                Shop shop = shops.get(Corpus.RANDOM.nextInt(shops.size()));
                shop.turnover[week % 52] += 250;
                sold.add(new Ticket(shop.name, Corpus.RANDOM.ints(6, 1, 50).toArray(), Corpus.words(2), 250));
            }
            return sold;
        }

        long draw(int request) {
            Draw draw = schedule.take();
            int game = request % 12;
            long winners = tickets.get(game).get().stream().filter(ticket -> draw.balls().contains(ticket.picks()[0])).count();
            if (request % 150 == 0) {
                tickets = tickets.put(game, sold(request));
            }
            return winners + schedule.first().number();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Lottery lottery = new Lottery();
        Corpus.twice(arguments, 12_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                lottery.draw(request);
            }
        });
    }
}
