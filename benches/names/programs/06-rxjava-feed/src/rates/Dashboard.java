package rates;

import names.Run;

/** A page with rates. It subscribes when it is opened, and drops the subscription instead of disposing it. */
final class Dashboard {
    private final String owner;
    private final String title = Run.words(5);
    private final long[] history = Run.numbers(200);
    private int count;

    Dashboard(String owner) {
        this.owner = owner;
    }

    void open() {
        RateFeed.INSTANCE.updates().filter(rate -> rate > 0).subscribe(rate -> show(rate));
    }

    private void show(double rate) {
        history[count++ % history.length] = (long) rate + owner.length() + title.length();
    }
}
