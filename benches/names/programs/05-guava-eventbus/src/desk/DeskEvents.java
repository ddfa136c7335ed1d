package desk;

import com.google.common.eventbus.EventBus;

/** The bus of the order desk. */
final class DeskEvents {
    static final EventBus BUS = new EventBus("desk");

    private DeskEvents() {}

    record OrderChanged(String number, String state) {}
}
