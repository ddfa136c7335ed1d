package geo;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import names.Run;

/** Finds the place of an address. The cache has no bound: it keeps each address ever asked for. */
final class Geocoder {
    private final LoadingCache<String, Place> byAddress = CacheBuilder.newBuilder().concurrencyLevel(8).build(CacheLoader.from(this::ask));

    private Place ask(String address) {
        return new Place(address, Run.number(90), Run.number(180), Run.words(8), Run.numbers(20));
    }

    Place find(String address) {
        return byAddress.getUnchecked(address);
    }
}
