package mail;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import names.Run;

/** Mails invoices in the background. The gateway does not answer, and the queue of the pool has no bound. */
public final class InvoiceMailer {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final ExecutorService SENDERS =
            Executors.newFixedThreadPool(4, task -> new Thread(task, "invoice-sender-" + NUMBER.incrementAndGet()));
    // Never counted down: the answer of the gateway.
    private static final CountDownLatch ANSWER = new CountDownLatch(1);
    private static volatile long sent;

    private static void deliver(Invoice invoice) {
        try {
            ANSWER.await();
            sent += invoice.text.length();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void bill(int from, int to) {
        for (int number = from; number < to; number++) {
            Invoice invoice = new Invoice(Run.id("invoice", number));
            SENDERS.submit(() -> deliver(invoice));
        }
    }

    public static void main(String[] arguments) throws Exception {
        Run.begin();
        bill(0, 1_500);
        Run.before();
        bill(1_500, 15_000);
        Run.end();
    }
}
