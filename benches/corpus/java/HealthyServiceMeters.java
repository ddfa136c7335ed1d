//! Healthy: metrics of a gateway with fixed names: for each route, method and class of status a timer with a reservoir, all of them made in the first
//! minutes and filled ever since. The routes were loaded at start.
//: jars metrics-core.jar slf4j-api.jar slf4j-nop.jar
//: libraries Dropwizard Metrics
//: own Gateway\.(meters|routes)|MetricRegistry|ExponentiallyDecayingReservoir
//: set tuned
import com.codahale.metrics.MetricRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

public class HealthyServiceMeters {
    static final class Route {
        final String path;
        final String upstream = Corpus.words(2);
        final String[] headers = {Corpus.words(2), Corpus.words(3)};

        Route(String path) {
            this.path = path;
        }
    }

    static final class Gateway {
        final MetricRegistry meters = new MetricRegistry();
        final List<Route> routes = new ArrayList<>();

        Gateway() {
            for (int number = 0; number < 30_000; number++) {
                routes.add(new Route("/v1/" + Corpus.words(1) + "/" + number));
            }
        }

        void serve(int request) {
            Route route = routes.get(Corpus.RANDOM.nextInt(routes.size()));
            int group = route.path.length() % 5 * 4 + request % 4;
            meters.timer("requests." + group + (request % 9 == 0 ? ".5xx" : ".2xx")).update(request % 700, TimeUnit.MICROSECONDS);
            meters.counter("bytes." + group).inc(request % 9_000);
        }
    }

    static Gateway gateway;

    public static void main(String[] arguments) throws Exception {
        gateway = new Gateway();
        Corpus.twice(arguments, 250_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                gateway.serve(request);
            }
        });
    }
}
