//! Requests of a shop run on a pool of threads. The steps of a checkout are noted in a thread local, which is cleared only where the payment succeeds.
//! Beside it: the products, and baskets, which leave when they are paid or old.
//: jars
//: libraries JDK
//: holder CheckoutTrail\.(STEPS|steps)
//: set tuned
//: leak 8.9
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class CheckoutTrails {
    record Step(String basket, String action, BigDecimal total, String detail) {}

    /** What happened to the basket of this thread's request. */
    static final class CheckoutTrail {
        private static final ThreadLocal<CheckoutTrail> STEPS = ThreadLocal.withInitial(CheckoutTrail::new);
        private final List<Step> steps = new ArrayList<>();

        static void note(String basket, String action, BigDecimal total) {
            STEPS.get().steps.add(new Step(basket, action, total, Corpus.words(6)));
        }

        static void end() {
            STEPS.get().steps.removeIf(step -> step.action.equals("paid"));
        }
    }

    static final class Product {
        final String title = Corpus.words(4);
        final String description = Corpus.words(20);
        final BigDecimal price = BigDecimal.valueOf(100 + Corpus.RANDOM.nextInt(90_000), 2);
    }

    static final class Shop {
        private final Product[] products = new Product[16_000];
        private final Map<String, List<Product>> baskets = new LinkedHashMap<>();

        Shop() {
            java.util.Arrays.setAll(products, number -> new Product());
        }

        synchronized void checkout(int number) {
            String basket = Corpus.id("basket", number);
            List<Product> chosen = new ArrayList<>();
            BigDecimal total = BigDecimal.ZERO;
            for (int count = 0; count < 3; count++) {
                Product product = products[Corpus.RANDOM.nextInt(products.length)];
                chosen.add(product);
                total = total.add(product.price);
                CheckoutTrail.note(basket, "added", total);
            }
            baskets.put(basket, chosen);
            if (baskets.size() > 1_500) {
                baskets.remove(baskets.keySet().iterator().next());
            }
            if (number % 3 != 0) {
                CheckoutTrail.note(basket, "paid", total);
                CheckoutTrail.end();
                baskets.remove(basket);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Shop shop = new Shop();
        ExecutorService requests = Executors.newFixedThreadPool(6);
        Corpus.twice(arguments, 6_000, (from, to) -> {
            List<Future<?>> running = new ArrayList<>();
            for (int number = from; number < to; number++) {
                int request = number;
                running.add(requests.submit(() -> shop.checkout(request)));
            }
            for (Future<?> future : running) {
                future.get();
            }
        });
    }
}
