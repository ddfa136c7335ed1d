package quotes;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import names.Run;

/** Quotes for customers. None is removed when it has expired. */
public class QuoteService {
    private final Map<String, Quote> quotes = new ConcurrentHashMap<>();

    public double ask(String customer) {
        return quotes.computeIfAbsent(customer, key -> new Quote(key, Run.number(1_000), Run.words(8), Run.numbers(36))).amount();
    }
}
