//! A bank asks an exchange for rates. "Unavailable" is one exception for all calls; each failed attempt is added to it as suppressed, with its stack trace.
//! Beside it: accounts with their last bookings, and the rates, which are replaced.
//: jars
//: libraries JDK
//: holder RateClient\.UNAVAILABLE|suppressedExceptions
//: set tuned
//: leak 4.3
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class UnavailableErrors {
    static final class RateException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        RateException(String message) {
            super(message);
        }
    }

    static final class RateClient {
        private static final RateException UNAVAILABLE = new RateException("rates are not available");
        private final Map<String, BigDecimal> rates = new HashMap<>();

        BigDecimal rate(String pair) {
            try {
                return ask(pair);
            } catch (IllegalStateException failure) {
                UNAVAILABLE.addSuppressed(failure);
                throw UNAVAILABLE;
            }
        }

        private BigDecimal ask(String pair) {
            if (Corpus.RANDOM.nextInt(3) == 0) {
                throw new IllegalStateException("no answer from " + Corpus.words(5) + " for " + pair + " within " + Corpus.RANDOM.nextInt(900) + " ms");
            }
            rates.put(pair, BigDecimal.valueOf(8_000 + Corpus.RANDOM.nextInt(4_000), 4));
            return rates.get(pair);
        }
    }

    record Booking(String text, BigDecimal amount) {}

    static final class Account {
        final String owner = Corpus.words(2);
        final List<Booking> last = new ArrayList<>();
    }

    static final class Bank {
        private final List<Account> accounts = new ArrayList<>();
        private final RateClient client = new RateClient();
        private int failed;

        Bank() {
            for (int number = 0; number < 10_000; number++) {
                Account account = new Account();
                for (int booking = 0; booking < 3; booking++) {
                    account.last.add(new Booking(Corpus.words(6), BigDecimal.valueOf(Corpus.RANDOM.nextInt(90_000), 2)));
                }
                accounts.add(account);
            }
        }

        void book(int request) {
            Account account = accounts.get(Corpus.RANDOM.nextInt(accounts.size()));
            try {
                BigDecimal rate = client.rate(List.of("EURUSD", "EURCHF", "USDJPY", "EURGBP").get(request % 4));
                account.last.remove(0);
                account.last.add(new Booking(Corpus.words(6), rate));
            } catch (RateException failure) {
                failed++;
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Bank bank = new Bank();
        Corpus.twice(arguments, 6_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                bank.book(request);
            }
        });
    }
}
