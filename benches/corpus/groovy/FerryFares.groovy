//! The booking site of a ferry line. The method for the quote of a crossing has @Memoized without a bound, and each vehicle at each
//! departure is another key. Beside it, larger: the bookings of the season, and the timetable.
//: jars groovy-all.jar
//: libraries Groovy
//: holder FareTable\.memoizedMethodClosure|UnlimitedConcurrentCache
//: set tuned

import groovy.transform.Memoized

class FerryFares {
    static void main(String[] arguments) {
        def line = new FerryLine(40, 70_000)
        Corpus.twice(arguments, 4_000) { int from, int to ->
            (from..<to).each { line.ask(it) }
        }
    }
}

class Departure {
    String ship
    String harbour
    int minute
    List<String> stops
}

class Booking {
    String number
    Departure departure
    String passenger
    String plate
    int metres
    List<String> cabins
}

class Quote {
    BigDecimal fare
    Map<String, BigDecimal> surcharges
    String conditions
}

class FareTable {
    private final Map<String, BigDecimal> ratesByHarbour = [:]

    FareTable(List<String> harbours) {
        harbours.each { ratesByHarbour[it] = 4 + Corpus.RANDOM.nextInt(900) / 100 }
    }

    @Memoized
    Quote quote(String harbour, int minute, String vehicle, int metres) {
        def fare = ratesByHarbour[harbour] * metres
        def surcharges = [fuel: fare * 0.08, port: 12.50, height: metres > 8 ? 45.00 : 0.00]
        if (minute % 1440 > 1200) {
            surcharges.night = fare * 0.2
        }
        new Quote(fare: fare, surcharges: surcharges, conditions: "$vehicle of $metres m: ${Corpus.words(8)}".toString())
    }
}

class FerryLine {
    private final List<Departure> timetable = []
    private final Map<String, Booking> bookings = [:]
    private final FareTable fares

    FerryLine(int harbours, int booked) {
        def names = (0..<harbours).collect { "${Corpus.words(1)} $it".toString() }
        fares = new FareTable(names)
        names.eachWithIndex { harbour, at ->
            200.times {
                timetable << new Departure(ship: Corpus.words(2), harbour: harbour, minute: it * 97 + at,
                    stops: (0..<3).collect { names[Corpus.RANDOM.nextInt(harbours)] })
            }
        }
        booked.times {
            def number = Corpus.id('booking', it)
            bookings[number] = new Booking(number: number, departure: timetable[Corpus.RANDOM.nextInt(timetable.size())],
                passenger: Corpus.words(2), plate: plate(), metres: 3 + Corpus.RANDOM.nextInt(9),
                cabins: (0..<Corpus.RANDOM.nextInt(3)).collect { Corpus.id('cabin', Corpus.RANDOM.nextInt(400)) })
        }
    }

    /** A visitor asks for the fares of a vehicle at three departures. */
    BigDecimal ask(int request) {
        def vehicle = plate()
        def metres = 3 + Corpus.RANDOM.nextInt(9)
        def offers = (0..<3).collect {
            def departure = timetable[Corpus.RANDOM.nextInt(timetable.size())]
            fares.quote(departure.harbour, departure.minute, vehicle, metres)
        }
        offers.collect { it.fare + it.surcharges.values().sum() }.min()
    }

    private static String plate() {
        "ZH ${100_000 + Corpus.RANDOM.nextInt(900_000)}".toString()
    }
}
