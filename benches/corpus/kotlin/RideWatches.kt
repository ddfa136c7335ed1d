//! Rides of a taxi company in Kotlin. A coroutine for each ride waits for positions of its driver; that of a cancelled ride waits for
//! ever, since its channel is never closed, and stays a child of the scope. Beside it, larger: drivers, and the streets of the city.
//: jars kotlin-stdlib.jar kotlinx-coroutines-core.jar atomicfu.jar
//: libraries Kotlin coroutines
//: holder RideWatch\.scope|SupervisorJobImpl
//: set tuned
//: leak 13.0
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

data class Position(val east: Int, val north: Int, val second: Int)

data class Street(val name: String, val quarter: String, val course: List<Position>)

data class Driver(val number: String, val name: String, val plate: String, val ratings: IntArray)

class Ride(val number: String, val passenger: String, val driver: Driver, val from: Street, val to: Street) {
    val positions = Channel<Position>(4)
    val track = ArrayList<Position>()
    val messages = List(3) { Corpus.words(9) }
}

class City(streets: Int, drivers: Int) {
    val streets = List(streets) { number ->
        Street("${Corpus.words(1)} street $number", Corpus.words(1), List(12) { position(number) })
    }
    val driversByNumber = (0 until drivers).map { Corpus.id("driver", it) }
        .associateWith { Driver(it, Corpus.words(2), "ZH ${Corpus.RANDOM.nextInt(900_000)}", IntArray(20) { 1 + Corpus.RANDOM.nextInt(5) }) }

    fun street() = streets[Corpus.RANDOM.nextInt(streets.size)]
    fun driver() = driversByNumber.getValue(Corpus.id("driver", Corpus.RANDOM.nextInt(driversByNumber.size)))
    fun position(second: Int) = Position(Corpus.RANDOM.nextInt(20_000), Corpus.RANDOM.nextInt(20_000), second)
}

class RideWatch {
    private val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default)

    fun watch(ride: Ride) = scope.launch {
        var metres = 0
        for (position in ride.positions) {
            val last = ride.track.lastOrNull() ?: position
            metres += Math.abs(position.east - last.east) + Math.abs(position.north - last.north)
            ride.track.add(position)
        }
        check(metres >= 0) { "ride ${ride.number} went backwards" }
    }
}

class Dispatch(private val city: City) {
    private val watch = RideWatch()
    private val open = HashMap<String, Ride>()

    suspend fun order(number: Int) {
        val ride = Ride(Corpus.id("ride", number), Corpus.words(2), city.driver(), city.street(), city.street())
        open[ride.number] = ride
        val watching = watch.watch(ride)
        repeat(12) { ride.positions.send(city.position(it)) }
        open.remove(ride.number)
        // The passenger cancels one ride in three: the driver is free again, but the channel stays open.
        if (number % 3 != 0) {
            ride.positions.close()
            watching.join()
        }
    }
}

fun main(arguments: Array<String>) {
    val dispatch = Dispatch(City(18_000, 14_000))
    Corpus.twice(arguments, 7_000) { from, to ->
        runBlocking { for (number in from until to) dispatch.order(number) }
    }
}
