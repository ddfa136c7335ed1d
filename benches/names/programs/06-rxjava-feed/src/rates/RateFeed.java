package rates;

import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.subjects.PublishSubject;

/** Rates of currencies, for whoever subscribes. */
final class RateFeed {
    static final RateFeed INSTANCE = new RateFeed();

    private final PublishSubject<Double> updates = PublishSubject.create();

    Observable<Double> updates() {
        return updates;
    }

    void publish(double rate) {
        updates.onNext(rate);
    }
}
