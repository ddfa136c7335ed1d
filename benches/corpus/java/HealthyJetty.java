//! Healthy: a weather service with Jetty. Its grids were computed at start, its answers are built for each request and dropped.
//: jars jetty9-server.jar jetty9-http.jar jetty9-io.jar jetty9-util.jar servlet-api.jar
//: libraries Jetty
//: own Forecast\.(hours|stations)
//: set tuned
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.HashMap;
import java.util.Map;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.AbstractHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

public class HealthyJetty {
    static final class Grid {
        final float[][] temperature = new float[180][360];

        Grid(int hour) {
            for (int y = 0; y < 180; y++) {
                for (int x = 0; x < 360; x++) {
                    temperature[y][x] = (float) (30 * Math.sin(Math.toRadians(y)) + hour % 24 * 0.2 + Corpus.RANDOM.nextFloat());
                }
            }
        }
    }

    static final class Station {
        final String name = Corpus.words(2);
        final int x = Corpus.RANDOM.nextInt(360);
        final int y = Corpus.RANDOM.nextInt(180);
        final String operator = Corpus.words(3);
    }

    static final class Forecast {
        final Grid[] hours = new Grid[120];
        final Map<String, Station> stations = new HashMap<>();

        Forecast() {
            for (int hour = 0; hour < hours.length; hour++) {
                hours[hour] = new Grid(hour);
            }
            for (int number = 0; number < 12000; number++) {
                stations.put("ST" + number, new Station());
            }
        }

        String table(String code) {
            Station station = stations.get(code);
            StringBuilder table = new StringBuilder(station.name).append('\n');
            for (int hour = 0; hour < hours.length; hour++) {
                table.append(hour).append(": ").append(hours[hour].temperature[station.y][station.x]).append('\n');
            }
            return table.toString();
        }
    }

    static final class ForecastHandler extends AbstractHandler {
        private final Forecast forecast;

        ForecastHandler(Forecast forecast) {
            this.forecast = forecast;
        }

        @Override
        public void handle(String target, Request base, HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType("text/plain;charset=utf-8");
            response.getWriter().print(forecast.table(target.substring(1)));
            base.setHandled(true);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Server server = new Server(new QueuedThreadPool(12, 4));
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(new ForecastHandler(new Forecast()));
        server.start();
        int port = connector.getLocalPort();
        Corpus.twice(arguments, 1000, (from, to) -> {
            for (int request = from; request < to; request++) {
                URL url = new URL("http", "127.0.0.1", port, "/ST" + Corpus.RANDOM.nextInt(12000));
                HttpURLConnection connection = (HttpURLConnection) url.openConnection();
                try (InputStream body = connection.getInputStream()) {
                    body.readAllBytes();
                }
            }
        });
    }
}
