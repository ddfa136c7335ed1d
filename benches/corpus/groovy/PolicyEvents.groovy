//! An insurance keeps its policies as aggregates with events. A command adds its event to the changes of the policy, which are written to the store after each command, but
//! not cleared: each policy holds all its changes since the start. Beside it: the tariffs, and the newest events of the store for the reports, bounded.
//: jars groovy-all.jar
//: libraries Groovy
//: holder Policy\.changes
//: set aside

class PolicyEvents {
    static void main(String[] arguments) {
        def insurer = new Insurer(9_000)
        Corpus.twice(arguments, 22_000) { int from, int to ->
            (from..<to).each { insurer.command(it) }
        }
    }
}

class PolicyEvent {
    String policy
    String kind
    String clerk
    BigDecimal premium
    String reason
}

class Policy {
    final String number
    final String holder = Corpus.words(2)
    final String address = Corpus.words(4)
    BigDecimal premium
    private final List<PolicyEvent> changes = []

    Policy(String number, BigDecimal premium) {
        this.number = number
        this.premium = premium
    }

    void raise(String kind, BigDecimal premium, String reason) {
        this.premium = premium
        changes << new PolicyEvent(policy: number, kind: kind, clerk: Corpus.words(2), premium: premium, reason: reason)
    }

    PolicyEvent lastChange() {
        changes.last()
    }
}

class EventStore {
    private final Map<String, Integer> versions = [:]
    private final ArrayDeque<PolicyEvent> newest = new ArrayDeque<>()

    void append(PolicyEvent event) {
        versions[event.policy] = (versions[event.policy] ?: 0) + 1
        newest << event
        if (newest.size() > 1_500) {
            newest.removeFirst()
        }
    }
}

class Insurer {
    private final Map<String, Policy> policies = [:]
    private final List<Map<String, Object>> tariffs = []
    private final EventStore store = new EventStore()

    Insurer(int count) {
        count.times {
            def number = Corpus.id('policy', it)
            policies[number] = new Policy(number, 200 + it % 900)
        }
        30_000.times {
            tariffs << [code: Corpus.id('tariff', it), text: Corpus.words(9), factor: 1 + (it % 70) / 100.0]
        }
    }

    void command(int request) {
        def policy = policies[Corpus.id('policy', Corpus.RANDOM.nextInt(policies.size()))]
        def tariff = tariffs[Corpus.RANDOM.nextInt(tariffs.size())]
        policy.raise(request % 5 ? 'premium changed' : 'risk added', (policy.premium * tariff.factor).remainder(9000), Corpus.words(7))
        store.append(policy.lastChange())
    }
}
