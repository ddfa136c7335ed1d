package parking

import names.Run

data class Ticket(val number: String, val plate: String, val entrance: String, val photos: LongArray)

class ParkingGarage(private val name: String) {
    fun enter(number: Int): Ticket = open.getOrPut("$name-$number") { Ticket(Run.id("ticket", number), "ZH ${Run.number(900_000)}", Run.words(3), Run.numbers(48)) }

    fun leave(ticket: Ticket) = ticket.plate.length // The ticket should be taken out of `open` here.

    companion object {
        private val open = HashMap<String, Ticket>()

        fun count() = open.size
    }
}

fun day(garage: ParkingGarage, from: Int, to: Int) = (from until to).sumBy { garage.leave(garage.enter(it)) }

fun main() {
    Run.begin()
    val garage = ParkingGarage("centre")
    var letters = day(garage, 0, 1_500)
    Run.before()
    letters += day(garage, 1_500, 15_000)
    Run.end()
    println(letters + ParkingGarage.count())
}
