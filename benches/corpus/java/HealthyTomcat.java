//! Healthy: a library with an embedded Tomcat. A session begins with a reservation and is invalidated at its end; the books were loaded at start.
//: jars tomcat10-embed-core.jar
//: libraries Tomcat
//: own Shelf\.books
//: set tuned
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;

public class HealthyTomcat {
    static final class Book {
        final String isbn;
        final String title = Corpus.words(5);
        final String author = Corpus.words(2);
        final List<String> subjects = new ArrayList<>(4);

        Book(int number) {
            isbn = String.format("978-3-%05d-%03d-%d", number, number % 1000, number % 10);
            for (int at = 0; at < 4; at++) {
                subjects.add(Corpus.words(2));
            }
        }
    }

    static final class Shelf {
        final List<Book> books = new ArrayList<>();

        Shelf(int count) {
            for (int number = 0; number < count; number++) {
                books.add(new Book(number));
            }
        }
    }

    static final class Reservation {
        final List<Book> wanted = new ArrayList<>();
        final String reader = Corpus.words(2);
    }

    static final class ReserveServlet extends HttpServlet {
        private final Shelf shelf;

        ReserveServlet(Shelf shelf) {
            this.shelf = shelf;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            HttpSession session = request.getSession();
            Reservation reservation = new Reservation();
            session.setAttribute("reservation", reservation);
            int first = Integer.parseInt(request.getParameter("book"));
            for (int at = 0; at < 3; at++) {
                reservation.wanted.add(shelf.books.get((first + at) % shelf.books.size()));
            }
            response.setContentType("text/plain");
            for (Book book : reservation.wanted) {
                response.getWriter().println(book.isbn + " " + book.title + " for " + reservation.reader);
            }
            session.invalidate();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Logger.getLogger("org.apache").setLevel(Level.WARNING);
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Path.of("").toAbsolutePath().toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        StandardContext context = new StandardContext();
        context.setPath("");
        context.setIgnoreAnnotations(true);
        context.addLifecycleListener(event -> {
            if (event.getType().equals(Lifecycle.CONFIGURE_START_EVENT)) {
                context.setConfigured(true);
            }
        });
        tomcat.getHost().addChild(context);
        Tomcat.addServlet(context, "reserve", new ReserveServlet(new Shelf(30000)));
        context.addServletMappingDecoded("/reserve", "reserve");
        tomcat.start();
        int port = tomcat.getConnector().getLocalPort();
        Corpus.twice(arguments, 1200, (from, to) -> {
            for (int request = from; request < to; request++) {
                URL url = new URL("http", "127.0.0.1", port, "/reserve?book=" + Corpus.RANDOM.nextInt(30000));
                HttpURLConnection connection = (HttpURLConnection) url.openConnection();
                try (InputStream body = connection.getInputStream()) {
                    body.readAllBytes();
                }
            }
        });
    }
}
