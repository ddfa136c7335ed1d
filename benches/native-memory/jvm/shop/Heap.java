package shop;

import bench.Program;
import bench.Truth;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The Java heap itself: a map that grows. The heap is the right location to look at. */
public final class Heap implements Program {
    private static final int SESSIONS = 50_000;

    @Override
    public void start(Path work) {
        for (int number = 0; number < SESSIONS; number++) {
            SessionStore.login(number);
        }
    }

    @Override
    public List<Step> fix() {
        return List.of(new Step("clear shop.SessionStore.sessions", SessionStore.sessions::clear));
    }

    @Override
    public Map<String, Object> truth() {
        return new Truth("heap", "shop.SessionStore.sessions", 0L)
                .and("sessions", SESSIONS)
                .and("array_bytes", SESSIONS * 2048L);
    }
}
