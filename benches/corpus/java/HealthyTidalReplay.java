//! Healthy: tides with RxJava. The last values are replayed to each new view, as many as the replay may hold, and it has been full for long; a view that closes disposes of
//! its subscription, which takes it out of the container of its visitor. The gauges were loaded at start.
//: jars rxjava.jar reactive-streams.jar
//: libraries RxJava
//: own TideService\.(tides|gauges|views)|ReplaySubject|CompositeDisposable
//: set aside
import io.reactivex.rxjava3.disposables.CompositeDisposable;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.subjects.ReplaySubject;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public class HealthyTidalReplay {
    record Gauge(String name, String coast, double[] hours, List<String> notes) {}

    record Tide(Gauge gauge, int minute, double metres, String remark) {}

    static final class TideService {
        final Map<String, Gauge> gauges = new TreeMap<>();
        final ReplaySubject<Tide> tides = ReplaySubject.createWithSize(16_000);
        final CompositeDisposable views = new CompositeDisposable();
        final Deque<Disposable> open = new ArrayDeque<>();
        double shown;

        TideService() {
            for (int number = 0; number < 7_000; number++) {
                gauges.put(Corpus.id("gauge", number), new Gauge(Corpus.words(2), Corpus.words(1), Corpus.RANDOM.doubles(90).toArray(), List.of(Corpus.words(5), Corpus.words(4))));
            }
        }

        void measure(int number) {
            Gauge gauge = gauges.get(Corpus.id("gauge", Corpus.RANDOM.nextInt(7_000)));
            tides.onNext(new Tide(gauge, number, gauge.hours()[number % 90] * 4, Corpus.words(3)));
            if (number % 800 == 0) {
                Disposable view = tides.takeLast(5).subscribe(tide -> shown += tide.metres());
                views.add(view);
                open.add(view);
                if (open.size() > 12) {
                    Disposable oldest = open.remove();
                    views.remove(oldest);
                }
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        TideService service = new TideService();
        Corpus.twice(arguments, 60_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                service.measure(number);
            }
        });
    }
}
