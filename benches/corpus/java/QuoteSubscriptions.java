//! Each subscription of a client adds a listener to the close future of the one connection to the exchange; unsubscribing does
//! not remove it. Price history is large and legitimate.
//: jars netty-common*.jar netty-buffer*.jar netty-transport-4*.jar netty-resolver*.jar
//: libraries Netty
//: holder closeFuture|(CloseFuture|DefaultPromise|DefaultFutureListeners)\.listeners
//: set tuned
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** A broker's gateway to an exchange: clients subscribe to prices for a while. */
public class QuoteSubscriptions {
    record Quote(String symbol, double bid, double ask) {}

    static final class Instrument {
        final String symbol;
        final String name;
        final double[] closes;

        Instrument(int number) {
            symbol = Corpus.id("XC", number);
            name = Corpus.words(3);
            closes = Corpus.RANDOM.doubles(500, 1, 400).toArray();
        }
    }

    static final class Subscription {
        final String client;
        final Instrument instrument;
        final double[] recent = new double[48];
        int seen;

        Subscription(String client, Instrument instrument) {
            this.client = client;
            this.instrument = instrument;
        }

        void on(Quote quote) {
            recent[seen++ % recent.length] = (quote.bid() + quote.ask()) / 2;
        }

        void disconnected() {
            seen = 0;
        }
    }

    static final class Gateway extends SimpleChannelInboundHandler<Quote> {
        private final Map<String, Map<String, Subscription>> bySymbol = new HashMap<>();
        private final Channel upstream = new EmbeddedChannel(this);

        void subscribe(Subscription subscription) {
            bySymbol.computeIfAbsent(subscription.instrument.symbol, symbol -> new LinkedHashMap<>()).put(subscription.client, subscription);
            upstream.closeFuture().addListener((ChannelFutureListener) closed -> subscription.disconnected());
        }

        void unsubscribe(Subscription subscription) {
            Map<String, Subscription> clients = bySymbol.get(subscription.instrument.symbol);
            clients.remove(subscription.client);
            if (clients.isEmpty()) {
                bySymbol.remove(subscription.instrument.symbol);
            }
        }

        /** What arrives from the exchange. */
        void receive(Quote quote) {
            ((EmbeddedChannel) upstream).writeInbound(quote);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, Quote quote) {
            bySymbol.getOrDefault(quote.symbol(), Map.of()).values().forEach(subscription -> subscription.on(quote));
        }
    }

    static final Instrument[] INSTRUMENTS = new Instrument[1_500];
    static Gateway gateway;

    public static void main(String[] arguments) throws Exception {
        for (int number = 0; number < INSTRUMENTS.length; number++) {
            INSTRUMENTS[number] = new Instrument(number);
        }
        gateway = new Gateway();
        Corpus.twice(arguments, 1_500, (from, to) -> {
            for (int number = from; number < to; number++) {
                Instrument instrument = INSTRUMENTS[Corpus.RANDOM.nextInt(INSTRUMENTS.length)];
                Subscription subscription = new Subscription(Corpus.id("client", number), instrument);
                gateway.subscribe(subscription);
                for (int quote = 0; quote < 5; quote++) {
                    double bid = Corpus.RANDOM.nextDouble() * 300;
                    gateway.receive(new Quote(instrument.symbol, bid, bid * 1.001));
                }
                gateway.unsubscribe(subscription);
            }
        });
    }
}
