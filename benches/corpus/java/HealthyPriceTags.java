//! Healthy: labels of a shop. A LinkedHashMap in order of access drops its eldest entry; it has been full for a long time.
//! The articles were loaded at start.
//: jars
//: libraries JDK
//: own Labels\.rendered|Shop\.articles
//: set tuned
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public class HealthyPriceTags {
    record Article(String number, String name, String unit, int cents) {}

    record Label(Article article, String markup, int width) {}

    static final class Labels {
        final Map<String, Label> rendered = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Label> eldest) {
                return size() > 4_000;
            }
        };
    }

    static final class Shop {
        final Map<String, Article> articles = new ConcurrentHashMap<>();
        final Labels labels = new Labels();

        Shop() {
            for (int number = 0; number < 70_000; number++) {
                String id = Corpus.id("article", number);
                articles.put(id, new Article(id, Corpus.words(3), Corpus.words(1), 99 + Corpus.RANDOM.nextInt(9_000)));
            }
        }

        Label label(int request) {
            Article article = articles.get(Corpus.id("article", Corpus.RANDOM.nextInt(70_000)));
            return labels.rendered.computeIfAbsent(article.number() + "/" + request,
                    key -> new Label(article, "<b>" + article.name() + "</b><p>" + Corpus.words(12) + "</p>", 200 + request % 90));
        }
    }

    public static void main(String[] arguments) throws Exception {
        Shop shop = new Shop();
        Corpus.twice(arguments, 40_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                shop.label(request);
            }
        });
    }
}
