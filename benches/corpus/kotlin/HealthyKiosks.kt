//! Healthy: kiosks of a city in Kotlin. An order passes through bounded channels to workers, its coroutine ends with its receipt, and a screen that
//! closes cancels its subscription. Large: the tickets of the day, a map of fixed size, and the stops of all lines.
//: jars kotlin-stdlib.jar kotlinx-coroutines-core.jar atomicfu.jar
//: libraries Kotlin coroutines
//: own Transit\.(stops|prices)|TicketDesk\.(valid|numbers)|ArrayDeque
//: set tuned
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.ConflatedBroadcastChannel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import java.util.ArrayDeque

data class Stop(val number: String, val name: String, val lines: List<String>, val east: Int, val north: Int)

data class Ticket(val number: String, val from: Stop, val to: Stop, val cents: Int, val passenger: String)

class Order(val number: String, val from: Stop, val to: Stop, val passenger: String) {
    val receipt = CompletableDeferred<Ticket>()
}

class Transit(count: Int) {
    val stops = List(count) { number ->
        Stop(Corpus.id("stop", number), Corpus.words(3), List(4) { "line ${Corpus.RANDOM.nextInt(120)}" },
            Corpus.RANDOM.nextInt(30_000), Corpus.RANDOM.nextInt(30_000))
    }
    val prices = (0 until 300).associate { "zone $it" to IntArray(300) { 200 + Corpus.RANDOM.nextInt(900) } }

    fun stop() = stops[Corpus.RANDOM.nextInt(stops.size)]
}

/** Tickets that are valid: as many as a day has, the oldest expire. */
class TicketDesk(private val transit: Transit, private val most: Int) {
    private val valid = HashMap<String, Ticket>()
    private val numbers = ArrayDeque<String>()

    @Synchronized
    fun sell(order: Order): Ticket {
        val cents = transit.prices.getValue("zone ${order.from.east % 300}")[order.to.north % 300]
        val ticket = Ticket(order.number, order.from, order.to, cents, order.passenger)
        valid[ticket.number] = ticket
        numbers.addLast(ticket.number)
        if (numbers.size > most) valid.remove(numbers.removeFirst())
        return ticket
    }
}

@ExperimentalCoroutinesApi
class KioskServer(private val transit: Transit, private val desk: TicketDesk) {
    private val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default)
    private val orders = Channel<Order>(16)
    private val notices = ConflatedBroadcastChannel("welcome")

    fun start(workers: Int) = repeat(workers) {
        scope.launch { for (order in orders) order.receipt.complete(desk.sell(order)) }
    }

    suspend fun visit(number: Int) = coroutineScope {
        val screen = notices.openSubscription()
        val reading = launch { for (notice in screen) check(notice.isNotEmpty()) }
        val order = Order(Corpus.id("ticket", number), transit.stop(), transit.stop(), Corpus.words(2))
        orders.send(order)
        val ticket = withTimeout(5_000) { order.receipt.await() }
        notices.send("${ticket.number}: ${Corpus.words(6)}")
        screen.cancel()
        reading.join()
    }
}

@ExperimentalCoroutinesApi
fun main(arguments: Array<String>) {
    val transit = Transit(25_000)
    val desk = TicketDesk(transit, 30_000)
    // The day before sold as many tickets as are valid at once.
    repeat(30_000) { desk.sell(Order(Corpus.id("ticket", 1_000_000 + it), transit.stop(), transit.stop(), Corpus.words(2))) }
    val server = KioskServer(transit, desk)
    server.start(3)
    Corpus.twice(arguments, 3_000) { from, to ->
        runBlocking { for (number in from until to) server.visit(number) }
    }
}
