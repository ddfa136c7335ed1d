package power

import names.Run

class Reading {
    String meter
    String note
    long[] values
}

/** Readings of meters, newest last: meters that were taken down stay. */
@Singleton
class ReadingStore {
    final Map<String, Reading> readings = [:]

    Reading of(String meter) {
        def reading = readings[meter]
        if (reading == null) {
            reading = new Reading(meter: meter, note: Run.words(6), values: Run.numbers(50))
            readings[meter] = reading
        }
        reading
    }
}

class Grid {
    static void read(int from, int to) {
        (from..<to).each { ReadingStore.instance.of(Run.id('meter', it)).values[0] = it }
    }

    static void main(String[] arguments) {
        Run.begin()
        read(0, 1_200)
        Run.before()
        read(1_200, 12_000)
        Run.end()
    }
}
