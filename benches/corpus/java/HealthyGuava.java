//! Healthy: a shop with a bounded Guava cache of rendered pages. The cache is full before the first dump; old pages are evicted as new ones come.
//! Products are in a multimap by category.
//: jars guava.jar
//: libraries Guava
//: own PageCache\.pages|Store\.byCategory
//: set tuned
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ListMultimap;
import java.time.Duration;
import java.util.List;

public class HealthyGuava {
    static final class Product {
        final int number;
        final String title = Corpus.words(4);
        final String text = Corpus.words(15);

        Product(int number) {
            this.number = number;
        }
    }

    static final class Page {
        final String address;
        final byte[] html;

        Page(String address, List<Product> products) {
            this.address = address;
            StringBuilder text = new StringBuilder("<ul>");
            for (Product product : products.subList(0, Math.min(12, products.size()))) {
                text.append("<li>").append(product.title).append(": ").append(product.text).append("</li>\n");
            }
            html = text.append("</ul>").toString().getBytes();
        }
    }

    static final class PageCache {
        final Cache<String, Page> pages = CacheBuilder.newBuilder().maximumSize(5000).expireAfterWrite(Duration.ofHours(1)).recordStats().build();
    }

    static final class Store {
        final ListMultimap<String, Product> byCategory = ArrayListMultimap.create();
        final PageCache cache = new PageCache();

        Store() {
            for (int number = 0; number < 30_000; number++) {
                byCategory.put("category-" + number % 150, new Product(number));
            }
        }

        Page page(String category, String query) throws Exception {
            String address = "/" + category + "?" + query;
            return cache.pages.get(address, () -> new Page(address, byCategory.get(category)));
        }
    }

    public static void main(String[] arguments) throws Exception {
        Store store = new Store();
        Corpus.twice(arguments, 12_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                store.page("category-" + Corpus.RANDOM.nextInt(150), "q=" + Corpus.words(1) + "&visit=" + request);
            }
        });
    }
}
