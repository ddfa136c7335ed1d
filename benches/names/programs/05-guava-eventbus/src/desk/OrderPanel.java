package desk;

import com.google.common.eventbus.Subscribe;
import names.Run;

/** A panel of the window: it registers itself, and nobody unregisters it when the panel is closed. */
final class OrderPanel {
    private final String number;
    private final String title = Run.words(6);
    private final long[] columns = Run.numbers(60);
    private String state = "new";

    OrderPanel(String number) {
        this.number = number;
    }

    void open() {
        DeskEvents.BUS.register(this);
    }

    @Subscribe
    public void changed(DeskEvents.OrderChanged event) {
        if (event.number().equals(number)) {
            state = event.state() + title.length() + columns.length;
        }
    }

    String state() {
        return state;
    }
}
