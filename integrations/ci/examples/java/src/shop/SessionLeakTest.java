package shop;

import org.junit.jupiter.api.Test;

class SessionLeakTest {
    @Test
    void sessionsAreReleased() throws Exception {
        for (int visitor = 0; visitor < 10_000; visitor++) {
            Shop.visit(visitor);
        }
        HeapCheck.check("sessions");
    }
}
