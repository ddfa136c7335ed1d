//! Boards of a railway in Kotlin. A page that opens subscribes to the conflated broadcast channel of departures and reads it in a coroutine;
//! a page that closes cancels the coroutine, but not the subscription. Beside it, larger: the stations, and the trains of the day.
//: jars kotlin-stdlib.jar kotlinx-coroutines-core.jar atomicfu.jar
//: libraries Kotlin coroutines
//: holder DepartureFeed\.latest|ConflatedBroadcastChannel\b(?!\$Subscriber)|State\.subscribers
//: set tuned
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.channels.ConflatedBroadcastChannel
import kotlinx.coroutines.channels.ReceiveChannel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

data class Stop(val station: String, val minute: Int, val platform: String)

data class Train(val number: String, val line: String, val stops: List<Stop>)

data class Station(val name: String, val address: String, val platforms: List<String>, val notices: List<String>)

data class Departure(val train: Train, val delay: Int, val notice: String)

class Network(stations: Int, trains: Int) {
    val stations = List(stations) { number ->
        Station("${Corpus.words(1)} $number", Corpus.words(5), List(4) { "platform $it of $number" }, List(3) { Corpus.words(9) })
    }
    val trainsByNumber = (0 until trains).map { Corpus.id("train", it) }.associateWith { number ->
        Train(number, "line ${Corpus.RANDOM.nextInt(90)}", List(9) { Stop(station().name, it * 11, "platform ${1 + it % 4}") })
    }

    fun station() = stations[Corpus.RANDOM.nextInt(stations.size)]
    fun train() = trainsByNumber.getValue(Corpus.id("train", Corpus.RANDOM.nextInt(trainsByNumber.size)))
}

@ExperimentalCoroutinesApi
class DepartureFeed {
    private val latest = ConflatedBroadcastChannel<Departure>()

    fun publish(departure: Departure) {
        latest.offer(departure)
    }

    fun subscribe(): ReceiveChannel<Departure> = latest.openSubscription()
}

/** A page that shows the next departures. */
class BoardPage(val number: String, private val station: Station) {
    private val lines = ArrayList<String>()
    private var reading: Job? = null
    private val settings = mapOf("language" to Corpus.words(1), "colours" to Corpus.words(2), "heading" to Corpus.words(6))

    fun open(scope: CoroutineScope, departures: ReceiveChannel<Departure>) {
        reading = scope.launch {
            while (true) show(departures.receive())
        }
    }

    private fun show(departure: Departure) {
        lines.add("${departure.train.line} from ${station.name}: ${departure.delay} minutes, ${departure.notice}")
        if (lines.size > 8) lines.removeAt(0)
    }

    suspend fun close() {
        reading!!.cancel()
        reading!!.join()
    }
}

@ExperimentalCoroutinesApi
class BoardServer(private val network: Network) {
    private val feed = DepartureFeed()
    private val scope = CoroutineScope(Dispatchers.Default)

    suspend fun visit(number: Int) {
        val page = BoardPage(Corpus.id("page", number), network.station())
        page.open(scope, feed.subscribe())
        repeat(3) { feed.publish(Departure(network.train(), Corpus.RANDOM.nextInt(20), Corpus.words(10))) }
        page.close()
    }
}

@ExperimentalCoroutinesApi
fun main(arguments: Array<String>) {
    val server = BoardServer(Network(8_000, 9_000))
    Corpus.twice(arguments, 3_000) { from, to ->
        runBlocking { for (number in from until to) server.visit(number) }
    }
}
