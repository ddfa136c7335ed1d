package shop;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/** The sessions of a shop: a bound was forgotten, and robots make a session with each request. */
final class SessionCache {
    static final Cache<String, Session> ENTRIES = Caffeine.newBuilder().recordStats().build();

    private SessionCache() {}

    static Session of(String id) {
        return ENTRIES.get(id, Session::new);
    }
}
