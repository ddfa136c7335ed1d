package imports;

import names.Run;

class PurchaseOrder {
    int number;
    String customer;
    String address;
    String note;
    double total;

    PurchaseOrder() {}

    PurchaseOrder(int number) {
        this.number = number;
        customer = Run.words(2);
        address = Run.words(3) + " " + number % 90;
        note = Run.words(14);
        total = Run.number(1_000);
    }
}
