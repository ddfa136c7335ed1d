//! Readings of electricity meters in Kotlin. Each region has a channel without a limit and a coroutine that reads it. The coroutine of one region fails at a broken reading and
//! is not started again: its channel takes all that still comes. Beside it, much larger: the meters with their contracts, read at start, and the loads of the regions, fixed tables.
//: jars kotlin-stdlib.jar kotlinx-coroutines-core.jar atomicfu.jar
//: libraries Kotlin coroutines
//: holder Region\.inbox|LinkedListChannel\b|AbstractSendChannel\.queue
//: set aside
//: leak 20.7
//: heap 1g
import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import java.util.concurrent.ThreadLocalRandom
import java.util.concurrent.atomic.AtomicInteger

class Meter(val number: String, val customer: String, val address: String, val contract: String, val installed: Int)

class Reading(val meter: Meter, val day: Int, val kilowatts: FloatArray, val remark: String)

class Region(val name: String) {
    val inbox = Channel<Reading>(Channel.UNLIMITED)
    val load = DoubleArray(96 * 366)
    val sent = AtomicInteger()
    val taken = AtomicInteger()
    @Volatile var failed = false

    suspend fun collect() {
        try {
            for (reading in inbox) {
                require(reading.remark.isNotEmpty()) { "broken reading of ${reading.meter.number}" }
                reading.kilowatts.forEachIndexed { quarter, value -> load[reading.day * 96 + quarter] += value.toDouble() }
                taken.incrementAndGet()
            }
        } catch (error: IllegalArgumentException) {
            failed = true
            throw error
        }
    }
}

class Grid(count: Int, regions: Int) {
    private val meters = Array(count) { Meter(Corpus.id("meter", it), Corpus.words(2), Corpus.words(4), Corpus.words(20), it % 9000) }
    private val regions = List(regions) { Region(Corpus.words(2)) }
    private val failures = AtomicInteger()
    private val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default + CoroutineExceptionHandler { _, _ -> failures.incrementAndGet() })

    init {
        this.regions.forEach { scope.launch { it.collect() } }
    }

    fun read(number: Int) {
        val random = ThreadLocalRandom.current()
        val region = regions[number % regions.size]
        // The 45th reading has no remark, by a fault of the meter.
        val remark = if (number == 45) "" else Corpus.words(3)
        region.sent.incrementAndGet()
        region.inbox.offer(Reading(meters[random.nextInt(meters.size)], number % 366, FloatArray(96) { random.nextFloat() * 3 }, remark))
    }

    fun await() {
        while (regions.any { !it.failed && it.taken.get() < it.sent.get() }) Thread.sleep(20)
    }
}

fun main(arguments: Array<String>) {
    val grid = Grid(400_000, 8)
    val threads = Executors.newFixedThreadPool(8)
    Corpus.twice(arguments, 120_000) { from, to ->
        val parts = (from until to step 1000).map { first ->
            Callable { (first until minOf(first + 1000, to)).forEach { grid.read(it) } }
        }
        threads.invokeAll(parts).forEach { it.get() }
        grid.await()
    }
}
