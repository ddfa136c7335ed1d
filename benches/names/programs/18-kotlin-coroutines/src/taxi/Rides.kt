package taxi

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import names.Run

class Ride(val number: String) {
    val passenger = Run.words(2)
    val track = Run.numbers(90)
    val positions = Channel<Int>(4)
}

/** Watches rides: the channel of a cancelled ride is never closed, so that its coroutine waits for ever, a child of the scope. */
class RideWatch {
    private val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default)

    fun watch(ride: Ride) {
        scope.launch { follow(ride) }
    }

    private suspend fun follow(ride: Ride) {
        var last = 0
        for (position in ride.positions) {
            last = position
        }
        ride.track[0] = last.toLong()
    }
}

fun day(watch: RideWatch, from: Int, to: Int) {
    for (number in from until to) {
        watch.watch(Ride(Run.id("ride", number)))
    }
    Thread.sleep(800) // All coroutines wait at their channels.
}

fun main() {
    Run.begin()
    val watch = RideWatch()
    day(watch, 0, 800)
    Run.before()
    day(watch, 800, 8_000)
    Run.end()
    println(watch)
}
