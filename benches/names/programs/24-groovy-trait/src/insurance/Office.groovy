package insurance

import names.Run

class Change {
    String policy
    String clerk
    long[] amounts
}

/** Remembers changes until they are written. `written` is never called. */
trait Audited {
    List<Change> pendingChanges = []

    void changed(Change change) {
        pendingChanges << change
    }

    void written() {
        pendingChanges.clear()
    }
}

class PolicyLedger implements Audited {
    String region
}

class Office {
    static PolicyLedger ledger = new PolicyLedger(region: 'north')

    static void work(int from, int to) {
        (from..<to).each { ledger.changed(new Change(policy: Run.id('policy', it), clerk: Run.words(3), amounts: Run.numbers(50))) }
    }

    static void main(String[] arguments) {
        Run.begin()
        work(0, 1_200)
        Run.before()
        work(1_200, 12_000)
        Run.end()
    }
}
