//! A guide to canteens reads their pages with jsoup and keeps the dish of the day as an element, which holds the whole page.
//! Beside it: the allergens by ingredient, the index of words in dishes, bounded, and prices of the year, written while it runs.
//: jars jsoup.jar
//: libraries jsoup
//: holder MenuReader\.dishes
//: set tuned
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

public class MenuScraper {
    record Ingredient(String name, List<String> allergens, String origin, int calories) {}

    static final class Ingredients {
        private final Map<String, Ingredient> byNumber = new HashMap<>();

        Ingredients() {
            for (int number = 0; number < 42_000; number++) {
                byNumber.put(Corpus.id("ingredient", number), new Ingredient(Corpus.words(2), List.of(Corpus.words(1), Corpus.words(1), Corpus.words(1)),
                        Corpus.words(3), Corpus.RANDOM.nextInt(900)));
            }
        }
    }

    static final class Prices {
        private final int[][] centsByCanteen = new int[2_000][366 * 4];

        void note(int canteen, int day, int cents) {
            centsByCanteen[canteen % 2_000][day % (366 * 4)] = cents;
        }
    }

    static final class MenuReader {
        private final Map<String, Element> dishes = new HashMap<>();
        private final Ingredients ingredients = new Ingredients();
        private final Prices prices = new Prices();
        private final List<String> recentWords = new ArrayList<>();

        void read(int canteen, int day) {
            Document page = Jsoup.parse(page(canteen, day), "https://canteen-" + canteen + ".example/menu");
            Element dish = page.selectFirst("article.dish h2");
            dishes.put(canteen + "/" + day, dish);
            prices.note(canteen, day, Integer.parseInt(page.selectFirst(".price").attr("data-cents")));
            for (Element part : page.select("li")) {
                Ingredient known = ingredients.byNumber.get(part.id());
                recentWords.add(known.name());
                if (recentWords.size() > 4_000) {
                    recentWords.subList(0, 500).clear();
                }
            }
        }

        private static String page(int canteen, int day) {
            StringBuilder html = new StringBuilder("<html><head><title>" + Corpus.words(4) + "</title></head><body><nav>");
            for (int link = 0; link < 12; link++) {
                html.append("<a class='link' href='/").append(Corpus.words(1)).append(link).append("'>").append(Corpus.words(2)).append("</a>");
            }
            html.append("</nav>");
            for (int dish = 0; dish < 5; dish++) {
                html.append("<article class='dish'><h2>").append(Corpus.words(4)).append("</h2><p class='price' data-cents='")
                        .append(600 + Corpus.RANDOM.nextInt(1_200)).append("'>").append(Corpus.words(6)).append("</p><ul>");
                for (int part = 0; part < 7; part++) {
                    html.append("<li id='").append(Corpus.id("ingredient", Corpus.RANDOM.nextInt(42_000))).append("'>").append(Corpus.words(2)).append("</li>");
                }
                html.append("</ul></article>");
            }
            return html.append("<footer>").append(Corpus.words(40)).append(canteen).append(' ').append(day).append("</footer></body></html>").toString();
        }
    }

    public static void main(String[] arguments) throws Exception {
        MenuReader reader = new MenuReader();
        Corpus.twice(arguments, 500, (from, to) -> {
            for (int request = from; request < to; request++) {
                reader.read(request % 60, request / 60);
            }
        });
    }
}
