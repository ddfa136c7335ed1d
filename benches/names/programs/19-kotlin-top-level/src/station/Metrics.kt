package station

import java.util.concurrent.ConcurrentHashMap
import names.Run

data class Sample(val sensor: String, val unit: String, val values: LongArray)

// Labels with the number of a train: a sample for each train that ever passed.
private val samples: MutableMap<String, Sample> by lazy { ConcurrentHashMap<String, Sample>() }

fun record(train: String, value: Long) {
    samples.getOrPut("delay{train=$train}") { Sample(train, Run.words(1), Run.numbers(48)) }.values[0] = value
}
