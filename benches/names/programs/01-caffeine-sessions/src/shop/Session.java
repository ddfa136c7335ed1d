package shop;

import names.Run;

final class Session {
    final String id;
    final String user = Run.words(2);
    final long started = 1_790_000_000_000L + Run.number(1_000_000);
    final byte[] page = Run.words(40).getBytes();

    Session(String id) {
        this.id = id;
    }
}
