//! A Spring message channel runs on a task executor with a queue without bound; the mail server is slower than what arrives.
//! Parsed templates are large and legitimate.
//: jars spring3-core.jar spring3-beans.jar spring3-context.jar spring3-messaging.jar jcl-over-slf4j.jar slf4j-api.jar slf4j-nop.jar
//: libraries Spring
//: holder workQueue|threadPoolExecutor|Relay\.pool
//: set tuned
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHandler;
import org.springframework.messaging.support.ExecutorSubscribableChannel;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** A service that writes to the customers of shops: it fills templates and hands mails to a mail server. */
public class MailRelayBacklog {
    record Part(String text, String variable) {}

    /** A template as parsed at start. */
    static final class Template {
        final String name;
        final List<Part> parts = new ArrayList<>();

        Template(String name) {
            this.name = name;
            for (int part = 0; part < 30; part++) {
                parts.add(new Part(Corpus.words(20), "customer." + Corpus.words(1)));
            }
        }

        String fill(String customer) {
            StringBuilder text = new StringBuilder();
            for (Part part : parts.subList(0, 8)) {
                text.append(part.text).append(' ').append(customer).append('\n');
            }
            return text.toString();
        }
    }

    record Mail(String to, String subject, String body) {}

    /** Speaks with the mail server, which takes its time. */
    static final class Smtp implements MessageHandler {
        private final AtomicInteger sent = new AtomicInteger();

        @Override
        public void handleMessage(Message<?> message) {
            Mail mail = (Mail) message.getPayload();
            try {
                Thread.sleep(mail.to().isEmpty() ? 0 : 250);
            } catch (InterruptedException error) {
                Thread.currentThread().interrupt();
            }
            sent.incrementAndGet();
        }
    }

    static final class Relay {
        private final ThreadPoolTaskExecutor pool = new ThreadPoolTaskExecutor();
        private final ExecutorSubscribableChannel outgoing;

        Relay() {
            pool.setCorePoolSize(2);
            pool.setMaxPoolSize(8); // Never reached: the queue has no bound.
            pool.setThreadNamePrefix("smtp-");
            pool.initialize();
            outgoing = new ExecutorSubscribableChannel(pool);
            outgoing.subscribe(new Smtp());
        }

        void send(Mail mail, String shop) {
            outgoing.send(MessageBuilder.withPayload(mail).setHeader("shop", shop).setHeader("priority", 3).build());
        }
    }

    static final Map<String, Template> TEMPLATES = new HashMap<>();
    static Relay relay;

    public static void main(String[] arguments) throws Exception {
        for (int number = 0; number < 4_000; number++) {
            Template template = new Template(Corpus.id("template", number));
            TEMPLATES.put(template.name, template);
        }
        relay = new Relay();
        Corpus.twice(arguments, 500, (from, to) -> {
            for (int number = from; number < to; number++) {
                Template template = TEMPLATES.get(Corpus.id("template", Corpus.RANDOM.nextInt(TEMPLATES.size())));
                String customer = Corpus.words(2);
                Mail mail = new Mail(customer.replace(' ', '.') + "@example.org", Corpus.words(5), template.fill(customer));
                relay.send(mail, Corpus.id("shop", number % 40));
            }
        });
    }
}
