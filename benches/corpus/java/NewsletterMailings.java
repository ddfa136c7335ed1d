//! A mailing house writes newsletters with Velocity. The text of each campaign goes into the string repository of the loader and stays there.
//! Beside it: the subscribers, the articles, and an outbox of the last rendered mails, bounded.
//: jars velocity.jar commons-collections3.jar commons-lang.jar commons-logging.jar oro.jar
//: libraries Velocity
//: holder StringResourceRepositoryImpl\.resources|STATIC_REPOSITORIES|CampaignService\.texts
//: set tuned
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import org.apache.velocity.VelocityContext;
import org.apache.velocity.app.VelocityEngine;
import org.apache.velocity.runtime.resource.loader.StringResourceLoader;
import org.apache.velocity.runtime.resource.util.StringResourceRepository;

public class NewsletterMailings {
    public record Subscriber(String mail, String name, String town, List<String> interests) {}

    public record Article(String number, String title, int cents, String text) {}

    static final class Outbox {
        private final LinkedList<byte[]> sent = new LinkedList<>();

        void send(String mail) {
            sent.add(mail.getBytes(StandardCharsets.UTF_8));
            if (sent.size() > 1_500) {
                sent.removeFirst();
            }
        }
    }

    static final class CampaignService {
        private final VelocityEngine engine = new VelocityEngine();
        private final StringResourceRepository texts;
        private final List<Subscriber> subscribers = new ArrayList<>();
        private final List<Article> articles = new ArrayList<>();
        private final Outbox outbox = new Outbox();

        CampaignService() {
            engine.setProperty("resource.loader", "string");
            engine.setProperty("string.resource.loader.class", StringResourceLoader.class.getName());
            engine.setProperty("runtime.log.logsystem.class", "org.apache.velocity.runtime.log.NullLogChute");
            engine.init();
            texts = StringResourceLoader.getRepository();
            for (int number = 0; number < 32_000; number++) {
                subscribers.add(new Subscriber(Corpus.id("reader", number) + "@mail.example", Corpus.words(2), Corpus.words(1),
                        List.of(Corpus.words(1), Corpus.words(1))));
            }
            for (int number = 0; number < 24_000; number++) {
                articles.add(new Article(Corpus.id("article", number), Corpus.words(4), 100 + Corpus.RANDOM.nextInt(90_000), Corpus.words(30)));
            }
        }

        void campaign(int number) throws Exception {
            String name = Corpus.id("campaign", number) + ".vm";
            StringBuilder text = new StringBuilder("Dear $reader.name() of $reader.town(),\n" + Corpus.words(40) + "\n");
            text.append("#foreach($article in $articles)\n  * $article.title() for $article.cents() cents\n#end\n");
            for (int paragraph = 0; paragraph < 4; paragraph++) {
                text.append("\n").append(Corpus.words(55)).append("\n#if($reader.interests().contains(\"river\"))").append(Corpus.words(9)).append("#end\n");
            }
            texts.putStringResource(name, text.toString());
            List<Article> chosen = articles.subList(number % 20_000, number % 20_000 + 6);
            for (int copy = 0; copy < 2; copy++) {
                StringWriter mail = new StringWriter();
                Subscriber reader = subscribers.get(Corpus.RANDOM.nextInt(subscribers.size()));
                engine.getTemplate(name).merge(new VelocityContext(new HashMap<>(Map.of("reader", reader, "articles", chosen))), mail);
                outbox.send(mail.toString());
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        CampaignService service = new CampaignService();
        Corpus.twice(arguments, 2_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                service.campaign(number);
            }
        });
    }
}
