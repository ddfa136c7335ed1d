package audit;

import java.util.ArrayList;
import java.util.List;
import names.Run;

/** What a request did, for the log of the auditors. The trail of a request is never removed from the thread that served it. */
final class AuditTrail {
    private static final ThreadLocal<List<Entry>> TRAIL = ThreadLocal.withInitial(ArrayList::new);

    private AuditTrail() {}

    static void add(String action) {
        TRAIL.get().add(new Entry(action, Run.words(8), Run.numbers(24)));
    }

    static int size() {
        return TRAIL.get().size();
    }
}
