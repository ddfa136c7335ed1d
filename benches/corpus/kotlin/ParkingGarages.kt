//! Garages of a city know cars by plate, in a trie of Commons Collections, for search by prefix. A car with a subscription leaves the trie when it leaves; one
//! that paid at the machine does not. Beside it: subscriptions, places with their state, and payments of the day, in a window.
//: jars kotlin-stdlib.jar commons-collections4-*.jar
//: libraries Commons Collections
//: holder GateLog\.byPlate|AbstractPatriciaTrie\.root|PatriciaTrie
//: set tuned
//: leak 7.4
import java.util.ArrayDeque
import org.apache.commons.collections4.trie.PatriciaTrie

class Subscription(val plate: String, val holder: String, val street: String, val garages: List<String>, var visits: Int)

class Entry(val plate: String, val garage: String, val place: Int, val minute: Int, val camera: String)

class Payment(val plate: String, val cents: Int, val machine: String, val minute: Int)

class Place(val garage: String, val number: Int, var plate: String?, val metres: Double)

class GateLog {
    private val byPlate = PatriciaTrie<Entry>()

    fun enter(entry: Entry) {
        byPlate[entry.plate] = entry
    }

    fun leave(plate: String): Entry? = byPlate.remove(plate)

    fun search(prefix: String): Int = byPlate.prefixMap(prefix).entries.take(10).size
}

class ParkingCity(subscribers: Int) {
    private val gates = GateLog()
    private val subscriptions = List(subscribers) { Subscription(plate(it), Corpus.words(2), Corpus.words(3), List(3) { Corpus.words(1) }, 0) }
    private val places = List(36_000) { Place("garage ${it % 40}", it / 40, null, 4 + Corpus.RANDOM.nextInt(20) / 10.0) }
    private val inside = ArrayDeque<Pair<Place, Boolean>>()
    private val payments = ArrayDeque<Payment>()

    private fun plate(number: Int) = "${"ABKLMNSUVZ"[number % 10]}${"CEHORT"[number % 6]} ${100_000 + number * 7919 % 900_000}"

    fun arrive(request: Int) {
        val subscriber = request % 3 == 0
        val place = places[request * 17 % places.size]
        val plate = if (subscriber) subscriptions[request % subscriptions.size].apply { visits++ }.plate else plate(100_000 + request)
        place.plate = plate
        gates.enter(Entry(plate, place.garage, place.number, request, "camera ${Corpus.words(2)}"))
        inside.add(Pair(place, subscriber))
        if (inside.size > 1_500) {
            val (left, subscribed) = inside.poll()
            if (subscribed) gates.leave(left.plate!!) else pay(left.plate!!, request)
            left.plate = null
        }
        if (request % 100 == 0) gates.search(plate.substring(0, 5))
    }

    private fun pay(plate: String, minute: Int) {
        payments.add(Payment(plate, 200 + Corpus.RANDOM.nextInt(3_000), "machine ${Corpus.words(1)}", minute))
        while (payments.peek().minute < minute - 2_500) payments.poll()
    }
}

fun main(arguments: Array<String>) {
    val city = ParkingCity(48_000)
    Corpus.twice(arguments, 20_000) { from, to ->
        for (request in from until to) city.arrive(request)
    }
}
