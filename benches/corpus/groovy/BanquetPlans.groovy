//! A caterer asks a calendar, a Groovy map with a default, whether a hall is free on a date. Each question for a free date stores an empty
//! day with its rooms. Beside it: the dishes with their recipes, guests of the season, and menus in a bounded map.
//: jars groovy-all.jar
//: libraries Groovy
//: holder HallCalendar\.days|MapWithDefault\.delegate
//: set tuned
//: leak 6.9

class BanquetPlans {
    static void main(String[] arguments) {
        def caterer = new Caterer(9_000, 26_000)
        Corpus.twice(arguments, 1_000) { int from, int to ->
            (from..<to).each { caterer.inquire(it) }
        }
    }
}

class Dish {
    String name
    List<String> ingredients
    BigDecimal price
    String recipe
}

class Guest {
    String name
    String address
    Set<String> diets
    Integer table
}

class HallDay {
    String hall
    int day
    Map<String, String> rooms
    List<String> bookings
}

class HallCalendar {
    private final Map<String, HallDay> days = [:].withDefault { String key ->
        def (hall, day) = key.split('/')
        new HallDay(hall: hall, day: day as int, rooms: [large: "free, ${Corpus.words(2)}".toString(), small: 'free', terrace: "free, ${Corpus.words(1)}".toString()], bookings: [])
    }

    boolean isFree(String hall, int day) {
        days["$hall/$day".toString()].bookings.isEmpty()
    }

    void book(String hall, int day, String customer) {
        days["$hall/$day".toString()].bookings << customer
    }
}

class Caterer {
    private final HallCalendar calendar = new HallCalendar()
    private final List<Dish> dishes = []
    private final List<Guest> guests = []
    private final Map<String, List<Dish>> menus = new LinkedHashMap<String, List<Dish>>() {
        protected boolean removeEldestEntry(Map.Entry eldest) { size() > 1500 }
    }

    Caterer(int dishCount, int guestCount) {
        dishCount.times {
            dishes << new Dish(name: Corpus.words(3), ingredients: (0..<8).collect { Corpus.words(1) + ' ' + it },
                price: 4 + Corpus.RANDOM.nextInt(4000) / 100, recipe: Corpus.words(40))
        }
        guestCount.times {
            guests << new Guest(name: Corpus.words(2), address: Corpus.words(4), diets: [Corpus.words(1)] as Set, table: it % 60)
        }
    }

    /** A customer asks for four dates, and books one sometimes. */
    int inquire(int request) {
        def hall = "hall ${Corpus.words(2)}".toString()
        def free = (0..<4).collect { Corpus.RANDOM.nextInt(700) }.findAll { calendar.isFree(hall, it) }
        if (free && request % 9 == 0) {
            calendar.book(hall, free[0], Corpus.id('customer', request))
        }
        menus[Corpus.id('menu', request)] = (0..<12).collect { dishes[Corpus.RANDOM.nextInt(dishes.size())] }
        def guest = guests[Corpus.RANDOM.nextInt(guests.size())]
        guest.address = Corpus.words(4)
        guest.table = request % 60
        free.size()
    }
}
