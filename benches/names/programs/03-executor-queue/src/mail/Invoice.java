package mail;

import names.Run;

final class Invoice {
    final String number;
    final String customer = Run.words(3);
    final String text = Run.words(30);
    final long[] amounts = Run.numbers(12);

    Invoice(String number) {
        this.number = number;
    }
}
