//! Reservoirs of a water supplier. Their levels are in an ObservableMap of Groovy; the chart of each opened page adds a closure as a listener
//! and does not remove it. Beside it, larger: the measurements of last year, and the pipes.
//: jars groovy-all.jar
//: libraries Groovy
//: holder Reservoirs\.levels|ObservableMap\.pcs|PropertyChangeSupport|ChangeListenerMap
//: set tuned
//: leak 7.1

import java.beans.PropertyChangeListener

class ReservoirLevels {
    static void main(String[] arguments) {
        def supplier = new WaterSupplier(120, 12_000)
        Corpus.twice(arguments, 900) { int from, int to ->
            (from..<to).each { supplier.visit(it) }
        }
    }
}

class Measurement {
    String gauge
    int day
    double level
    String remark
}

class Pipe {
    String number
    String street
    int millimetres
    List<String> valves
}

class Reservoirs {
    final ObservableMap levels = new ObservableMap()

    Reservoirs(int count) {
        count.times { levels["reservoir $it".toString()] = 50 + Corpus.RANDOM.nextInt(900) / 20 }
    }
}

class ChartPage {
    String user
    List<String> names
    List<Map<String, Object>> points = []

    void open(Reservoirs reservoirs) {
        def shown = new LinkedHashMap(names.collectEntries { [(it): reservoirs.levels[it]] })
        def heading = "${user}: ${Corpus.words(6)}".toString()
        reservoirs.levels.addPropertyChangeListener({ event ->
            if (event.propertyName in names) {
                shown[event.propertyName] = event.newValue
                points << [heading: heading, name: event.propertyName, level: event.newValue]
                if (points.size() > 6) points.remove(0)
            }
        } as PropertyChangeListener)
        names.each { points << [heading: heading, name: it, level: shown[it]] }
    }

    void close() {
        points.clear()
    }
}

class WaterSupplier {
    private final Reservoirs reservoirs
    private final List<Measurement> lastYear = []
    private final Map<String, Pipe> pipes = [:]

    WaterSupplier(int count, int pipeCount) {
        reservoirs = new Reservoirs(count)
        (0..<365).each { day ->
            count.times {
                lastYear << new Measurement(gauge: "gauge $it".toString(), day: day, level: Corpus.RANDOM.nextDouble() * 90, remark: Corpus.words(2))
            }
        }
        pipeCount.times {
            def number = Corpus.id('pipe', it)
            pipes[number] = new Pipe(number: number, street: Corpus.words(3), millimetres: 80 + Corpus.RANDOM.nextInt(600),
                valves: (0..<2).collect { Corpus.id('valve', Corpus.RANDOM.nextInt(90_000)) })
        }
    }

    /** A visitor opens the chart of six reservoirs; the gauge of one of all reservoirs reports meanwhile. */
    void visit(int number) {
        def page = new ChartPage(user: Corpus.id('user', number),
            names: (0..<6).collect { "reservoir ${Corpus.RANDOM.nextInt(120)}".toString() }.unique())
        page.open(reservoirs)
        reservoirs.levels["reservoir ${number % 120}".toString()] = 50 + Corpus.RANDOM.nextInt(900) / 20
        page.close()
    }
}
