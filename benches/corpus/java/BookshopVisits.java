//! A session listener on Jetty keeps a visit by session id; signing in changes the id, so the end of the session removes nothing.
//! The catalogue of books is large and legitimate.
//: jars jetty9-server.jar jetty9-servlet.jar jetty9-security.jar jetty9-http.jar jetty9-io.jar jetty9-util.jar servlet-api.jar
//: libraries Jetty
//: holder Visits\.byId
//: set tuned
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSessionEvent;
import javax.servlet.http.HttpSessionListener;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;

/** A bookshop that notes what a visitor looked at, for as long as the session lasts. */
public class BookshopVisits {
    record Book(String isbn, String title, String blurb, int cents) {}

    record PageView(String path, String title, long time) {}

    static final class Visit {
        final long began = System.currentTimeMillis();
        final List<PageView> views = new ArrayList<>();
    }

    static final class Visits implements HttpSessionListener {
        private final Map<String, Visit> byId = new ConcurrentHashMap<>();

        @Override
        public void sessionCreated(HttpSessionEvent event) {
            byId.put(event.getSession().getId(), new Visit());
        }

        @Override
        public void sessionDestroyed(HttpSessionEvent event) {
            byId.remove(event.getSession().getId());
        }

        void saw(String id, Book book) {
            Visit visit = byId.get(id);
            if (visit != null) {
                visit.views.add(new PageView("/books/" + book.isbn() + "?from=" + Corpus.words(1), book.title(), System.currentTimeMillis()));
            }
        }
    }

    static final class ShopServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            switch (request.getPathInfo()) {
                case "/browse" -> {
                    String id = request.getSession(true).getId();
                    for (int page = 0; page < 12; page++) {
                        VISITS.saw(id, CATALOGUE.get(Corpus.id("isbn", Corpus.RANDOM.nextInt(CATALOGUE.size()))));
                    }
                }
                case "/sign-in" -> request.changeSessionId(); // Against fixed session ids.
                case "/sign-out" -> request.getSession().invalidate();
                default -> response.sendError(404);
            }
        }
    }

    static final Map<String, Book> CATALOGUE = new HashMap<>();
    static final Visits VISITS = new Visits();
    static final Pattern COOKIE = Pattern.compile("JSESSIONID=([^;\\s]+)");

    /** Asks for a page; returns the session cookie of the answer, or the one sent. */
    static String get(LocalConnector connector, String path, String cookie) throws Exception {
        String sent = cookie == null ? "" : "Cookie: JSESSIONID=" + cookie + "\r\n";
        String answer = connector.getResponse("GET " + path + " HTTP/1.1\r\nHost: shop\r\n" + sent + "Connection: close\r\n\r\n");
        if (!answer.startsWith("HTTP/1.1 200")) {
            throw new IllegalStateException(answer);
        }
        Matcher set = COOKIE.matcher(answer);
        return set.find() ? set.group(1) : cookie;
    }

    public static void main(String[] arguments) throws Exception {
        for (int number = 0; number < 55_000; number++) {
            String isbn = Corpus.id("isbn", number);
            CATALOGUE.put(isbn, new Book(isbn, Corpus.words(4), Corpus.words(90), 900 + Corpus.RANDOM.nextInt(4_000)));
        }
        Server server = new Server();
        LocalConnector connector = new LocalConnector(server);
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler(ServletContextHandler.SESSIONS);
        context.addEventListener(VISITS);
        context.addServlet(new ServletHolder(new ShopServlet()), "/*");
        server.setHandler(context);
        server.start();
        Corpus.twice(arguments, 2_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                String cookie = get(connector, "/browse", null);
                cookie = get(connector, "/sign-in", cookie);
                get(connector, "/sign-out", cookie);
            }
        });
    }
}
