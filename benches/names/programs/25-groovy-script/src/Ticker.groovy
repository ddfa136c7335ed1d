import groovy.transform.Field
import names.Run

class Portfolio {
    String number
    String owner
    long[] values
}

// Closures that hear of each price. Portfolios that are closed stay.
@Field List<Closure> listeners = []

def open(int number) {
    def portfolio = new Portfolio(number: Run.id('portfolio', number), owner: Run.words(2), values: Run.numbers(60))
    listeners << { long price -> portfolio.values[0] = price }
}

Run.begin()
(0..<1_000).each { open(it) }
Run.before()
(1_000..<10_000).each { open(it) }
listeners.each { it(42L) }
Run.end()
println listeners.size()
