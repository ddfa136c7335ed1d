//! Robots of a warehouse get commands; a coroutine waits for the acknowledgement with a timeout. A command that timed out stays in the table of
//! those that wait. Beside it, larger: the shelves, changed by each command, and tracks of the robots, bounded.
//: jars kotlin-stdlib.jar kotlinx-coroutines-core.jar atomicfu.jar
//: libraries Kotlin coroutines
//: holder RobotGateway\.awaiting
//: set tuned
import java.util.ArrayDeque
import java.util.concurrent.ConcurrentHashMap
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull

data class Shelf(val code: String, val goods: List<String>, var pieces: Int, var remark: String)

data class Move(val from: String, val to: String, val metres: Double)

class Command(val number: Long, val robot: String, val goods: String, val moves: List<Move>) {
    val done = CompletableDeferred<String>()
}

class Robot(val name: String) {
    private val track = ArrayDeque<Move>()

    fun follow(moves: List<Move>) {
        for (move in moves) {
            track.add(move)
            if (track.size > 250) track.poll()
        }
    }
}

class RobotGateway(robots: Int) {
    private val awaiting = ConcurrentHashMap<Long, Command>()
    private val robots = List(robots) { Robot(Corpus.id("robot", it)) }

    /** Sends a command; null when the robot did not answer. */
    suspend fun send(command: Command): String? {
        awaiting[command.number] = command
        val robot = robots[(command.number % robots.size).toInt()]
        robot.follow(command.moves)
        // Some robots are out of reach.
        if (command.number % 9 != 8L) acknowledge(command.number, "done by ${robot.name}")
        return withTimeoutOrNull(2) { command.done.await() }
    }

    private fun acknowledge(number: Long, text: String) {
        awaiting.remove(number)?.done?.complete(text)
    }
}

class Warehouse(shelves: Int) {
    private val shelves = List(shelves) { Shelf(Corpus.id("shelf", it), List(5) { Corpus.words(2) }, Corpus.RANDOM.nextInt(90), Corpus.words(4)) }
    private val gateway = RobotGateway(60)

    private fun shelf() = shelves[Corpus.RANDOM.nextInt(shelves.size)]

    suspend fun fetch(request: Int) {
        val shelf = shelf()
        val moves = List(8) { Move(shelf().code, "aisle ${Corpus.words(2)}", Corpus.RANDOM.nextInt(900) / 10.0) }
        val answer = gateway.send(Command(request.toLong(), Corpus.id("robot", request % 60), shelf.goods[request % 5], moves))
        shelf.pieces -= 1
        shelf.remark = answer ?: "look after ${Corpus.words(2)}"
    }
}

fun main(arguments: Array<String>) {
    val warehouse = Warehouse(38_000)
    Corpus.twice(arguments, 4_000) { from, to ->
        runBlocking { for (request in from until to) warehouse.fetch(request) }
    }
}
