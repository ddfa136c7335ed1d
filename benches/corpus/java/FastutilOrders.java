//! A fastutil map of the orders of a broker: a filled order changes its state, but stays in the map. The prices of all instruments
//! are legitimate, and larger.
//: jars fastutil.jar
//: libraries fastutil
//: holder OrderBook\.open\b
//: set tuned
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.objects.Object2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;

public class FastutilOrders {
    enum State { OPEN, FILLED }

    static final class Instrument {
        final String symbol;
        final String title;
        final double[] closes = new double[250];
        double last;

        Instrument(String symbol) {
            this.symbol = symbol;
            title = Corpus.words(4);
            for (int day = 0; day < closes.length; day++) {
                closes[day] = 20 + Corpus.RANDOM.nextDouble() * 80;
            }
            last = closes[closes.length - 1];
        }
    }

    static final class Fill {
        final double price;
        final int amount;

        Fill(double price, int amount) {
            this.price = price;
            this.amount = amount;
        }
    }

    static final class Order {
        final long number;
        final String client;
        final Instrument instrument;
        final List<Fill> fills = new ArrayList<>(4);
        int left;
        State state = State.OPEN;

        Order(long number, String client, Instrument instrument, int left) {
            this.number = number;
            this.client = client;
            this.instrument = instrument;
            this.left = left;
        }
    }

    static final class OrderBook {
        private final Long2ObjectOpenHashMap<Order> open = new Long2ObjectOpenHashMap<>();

        void place(Order order) {
            open.put(order.number, order);
        }

        void match(long number, int amount) {
            Order order = open.get(number);
            order.fills.add(new Fill(order.instrument.last, amount));
            order.left -= amount;
            if (order.left <= 0) {
                // The order is done, and should be removed here.
                order.state = State.FILLED;
            }
        }
    }

    static final class Market {
        final Object2ObjectOpenHashMap<String, Instrument> instruments = new Object2ObjectOpenHashMap<>();

        Market(int count) {
            for (int number = 0; number < count; number++) {
                String symbol = String.format("XA%05d", number);
                instruments.put(symbol, new Instrument(symbol));
            }
        }
    }

    static final Market MARKET = new Market(6000);
    static final OrderBook BOOK = new OrderBook();

    public static void main(String[] arguments) throws Exception {
        Corpus.twice(arguments, 9000, (from, to) -> {
            for (int request = from; request < to; request++) {
                Instrument instrument = MARKET.instruments.get(String.format("XA%05d", Corpus.RANDOM.nextInt(6000)));
                BOOK.place(new Order(request, Corpus.id("client", request % 700), instrument, 30));
                instrument.last *= 0.99 + Corpus.RANDOM.nextDouble() / 50;
                for (int part = 0; part < 3; part++) {
                    BOOK.match(request, 10);
                }
            }
        });
    }
}
