package station

import names.Run

fun pass(from: Int, to: Int) = (from until to).forEach { record(Run.id("train", it), it % 60L) }

fun main() {
    Run.begin()
    pass(0, 1_500)
    Run.before()
    pass(1_500, 15_000)
    Run.end()
}
