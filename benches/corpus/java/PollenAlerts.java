//! Warnings of pollen with RxJava. The page of a visitor takes the next three values of its region and is done. Its disposable was added to the container that is
//! disposed of at the end of the process, and nobody takes it out. Beside it: the regions with their measurements, plants, and pages that are open.
//: jars rxjava.jar reactive-streams.jar
//: libraries RxJava
//: holder AlertDesk\.subscriptions|CompositeDisposable\.resources|OpenHashSet\.keys
//: set aside
//: leak 13.8
import io.reactivex.rxjava3.disposables.CompositeDisposable;
import io.reactivex.rxjava3.subjects.PublishSubject;
import io.reactivex.rxjava3.subjects.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

public class PollenAlerts {
    record Level(int region, String plant, double grains, String advice) {}

    record Region(String name, float[] year, List<String> stations) {}

    static final class Page {
        final String visitor;
        final String address = Corpus.words(4);
        final List<String> shown = new ArrayList<>();

        Page(String visitor) {
            this.visitor = visitor;
        }

        void show(Level level) {
            shown.add(level.plant + ": " + level.advice);
        }
    }

    static final class AlertDesk {
        private final CompositeDisposable subscriptions = new CompositeDisposable();
        private final List<Subject<Level>> levelsByRegion = new ArrayList<>();
        private final List<Region> regions = new ArrayList<>();
        private final ConcurrentLinkedQueue<Page> open = new ConcurrentLinkedQueue<>();

        AlertDesk(int count) {
            for (int number = 0; number < count; number++) {
                levelsByRegion.add(PublishSubject.<Level>create().toSerialized());
                float[] year = new float[365];
                for (int day = 0; day < year.length; day++) {
                    year[day] = Corpus.RANDOM.nextFloat() * 120;
                }
                regions.add(new Region(Corpus.words(2), year, List.of(Corpus.words(3), Corpus.words(3), Corpus.words(3))));
            }
        }

        void open(int number) {
            int region = ThreadLocalRandom.current().nextInt(regions.size());
            Page page = new Page(Corpus.id("visitor", number));
            open.add(page);
            subscriptions.add(levelsByRegion.get(region).filter(level -> level.grains > 5).take(3).subscribe(page::show));
            for (int value = 0; value < 4; value++) {
                measure(region);
            }
            open.remove(page);
        }

        void measure(int region) {
            double grains = 6 + ThreadLocalRandom.current().nextDouble() * 90;
            levelsByRegion.get(region).onNext(new Level(region, Corpus.words(1), grains, Corpus.words(5)));
        }
    }

    public static void main(String[] arguments) throws Exception {
        AlertDesk desk = new AlertDesk(11_000);
        ExecutorService threads = Executors.newFixedThreadPool(12);
        Corpus.twice(arguments, 9_000, (from, to) -> {
            List<Future<?>> work = new ArrayList<>();
            for (int number = from; number < to; number++) {
                int visit = number;
                work.add(threads.submit(() -> desk.open(visit)));
            }
            for (Future<?> part : work) {
                part.get();
            }
        });
    }
}
