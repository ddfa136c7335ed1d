//! Seat plans of cinemas. The seats of a hall are an ObservableMap of Groovy; each page that shows a plan listens to it, and does not stop when it is left.
//! Beside it: the showings of the month, pictures of films in a cache with a bound, and the bookings.
//: jars groovy-all.jar
//: libraries Groovy
//: holder Hall\.seats|ObservableMap\.pcs|PropertyChangeSupport\.map|ChangeListenerMap\.map
//: set tuned
//: leak 8.8

import java.beans.PropertyChangeEvent
import java.beans.PropertyChangeListener

class CinemaSeats {
    static void main(String[] arguments) {
        def cinema = new Cinema()
        Corpus.twice(arguments, 1_800) { int from, int to ->
            for (int request = from; request < to; request++) {
                cinema.visit(request)
            }
        }
    }
}

class Hall {
    String name
    ObservableMap seats = new ObservableMap(new TreeMap())
}

class Showing {
    String film
    Hall hall
    int minute
    List<String> remarks
}

class PlanPage implements PropertyChangeListener {
    String visitor
    String language
    Map<String, String> drawn = [:]

    void show(Hall hall) {
        hall.seats.each { seat, state -> if (drawn.size() < 14) drawn[seat as String] = "$state ${Corpus.words(2)}".toString() }
        hall.seats.addPropertyChangeListener(this)
    }

    void propertyChange(PropertyChangeEvent event) {
        if (drawn.containsKey(event.propertyName)) {
            drawn[event.propertyName] = event.newValue as String
        }
    }
}

class Pictures extends LinkedHashMap<String, byte[]> {
    Pictures() {
        super(16, 0.75f, true)
    }

    protected boolean removeEldestEntry(Map.Entry<String, byte[]> eldest) {
        size() > 160
    }
}

class Cinema {
    private final List<Hall> halls = []
    private final List<Showing> showings = []
    private final Map<String, String> bookings = new HashMap<>()
    private final Pictures pictures = new Pictures()

    Cinema() {
        24.times { number ->
            def hall = new Hall(name: Corpus.words(2))
            180.times { hall.seats["row ${it.intdiv(15)} seat ${it % 15}".toString()] = 'free' }
            halls << hall
        }
        20_000.times {
            showings << new Showing(film: Corpus.words(3), hall: halls[it % 24], minute: it * 7, remarks: [Corpus.words(4), Corpus.words(3)])
        }
        30_000.times { bookings[Corpus.id('booking', it)] = Corpus.words(4) }
    }

    void visit(int request) {
        def showing = showings[Corpus.RANDOM.nextInt(showings.size())]
        def page = new PlanPage(visitor: Corpus.id('visitor', request), language: Corpus.words(1))
        page.show(showing.hall)
        pictures.computeIfAbsent(Corpus.id('film', Corpus.RANDOM.nextInt(900)), { key -> new byte[48_000] })
        if (request % 5 == 0) {
            def seat = "row ${Corpus.RANDOM.nextInt(12)} seat ${Corpus.RANDOM.nextInt(15)}".toString()
            showing.hall.seats[seat] = showing.hall.seats[seat] == 'free' ? 'taken' : 'free'
            bookings[Corpus.id('booking', Corpus.RANDOM.nextInt(30_000))] = Corpus.words(4)
        }
    }
}
