//! A publisher of the JDK's reactive streams: each page of a trading desk subscribes, and a closed page never cancels its subscription. The
//! history of prices is legitimate, and larger.
//: libraries java.util.concurrent.Flow
//: holder Ticker\.publisher|SubmissionPublisher\.clients
//: set tuned
//: leak 4.6
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;

public class FlowTicker {
    static final class Price {
        final String symbol;
        final double bid;
        final double ask;

        Price(String symbol, double bid) {
            this.symbol = symbol;
            this.bid = bid;
            ask = bid * 1.001;
        }
    }

    static final class Page implements Flow.Subscriber<Price> {
        final String user;
        final Map<String, Price> watched = new HashMap<>();
        private Flow.Subscription subscription;

        Page(String user) {
            this.user = user;
            for (int at = 0; at < 8; at++) {
                watched.put("S" + Corpus.RANDOM.nextInt(400), null);
            }
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(Price price) {
            watched.computeIfPresent(price.symbol, (symbol, before) -> price);
        }

        @Override
        public void onError(Throwable error) {
            watched.clear();
        }

        @Override
        public void onComplete() {
            watched.clear();
        }
    }

    static final class Ticker {
        private final SubmissionPublisher<Price> publisher = new SubmissionPublisher<>(Runnable::run, 16);

        void watch(Page page) {
            publisher.subscribe(page);
        }

        void price(Price price) {
            publisher.submit(price);
        }
    }

    static final class History {
        final Map<String, List<Price>> bySymbol = new HashMap<>();

        History() {
            for (int number = 0; number < 400; number++) {
                String symbol = "S" + number;
                List<Price> prices = new ArrayList<>();
                for (int minute = 0; minute < 600; minute++) {
                    prices.add(new Price(symbol, 10 + Corpus.RANDOM.nextDouble() * 90));
                }
                bySymbol.put(symbol, prices);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        History history = new History();
        Ticker ticker = new Ticker();
        Corpus.twice(arguments, 1500, (from, to) -> {
            for (int request = from; request < to; request++) {
                ticker.watch(new Page(Corpus.id("trader", request)));
                if (request % 10 == 0) {
                    String symbol = "S" + Corpus.RANDOM.nextInt(400);
                    List<Price> prices = history.bySymbol.get(symbol);
                    ticker.price(new Price(symbol, prices.get(Corpus.RANDOM.nextInt(prices.size())).bid));
                }
            }
        });
    }
}
