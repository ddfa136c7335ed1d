package portal;

import java.io.Serializable;
import names.Run;

final class Patient implements Serializable {
    final String number;
    final String name = Run.words(2);
    final String address = Run.words(5);
    final long[] appointments = Run.numbers(60);

    Patient(String number) {
        this.number = number;
    }
}
