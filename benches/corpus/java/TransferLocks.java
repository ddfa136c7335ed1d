//! A bank books transfers on many threads. Deliveries of one transfer must not overlap, so that each transfer has a lock, made at its first delivery and never removed.
//! Beside it: the accounts with their last bookings, bounded for each, and the transfers in work.
//: jars
//: libraries JDK
//: holder TransferDesk\.locks
//: set aside
//: leak 24.0
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;

public class TransferLocks {
    record Booking(int transfer, long cents, String text) {}

    static final class Account {
        final String number;
        final String owner = Corpus.words(2);
        final String address = Corpus.words(4);
        final Deque<Booking> bookings = new ArrayDeque<>();
        long cents;

        Account(int number) {
            this.number = "CH" + (10_000_000 + number);
        }

        synchronized void book(Booking booking) {
            cents += booking.cents;
            bookings.add(booking);
            if (bookings.size() > 6) {
                bookings.remove();
            }
        }
    }

    static final class TransferDesk {
        private final Account[] accounts = new Account[40_000];
        private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();
        private final Map<String, Long> inWork = new ConcurrentHashMap<>();

        TransferDesk() {
            for (int number = 0; number < accounts.length; number++) {
                accounts[number] = new Account(number);
                for (int booking = 0; booking < 6; booking++) {
                    accounts[number].book(new Booking(booking, 100, Corpus.words(2)));
                }
            }
        }

        void deliver(int number) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            String transfer = Corpus.id("transfer-2026-11", number);
            ReentrantLock lock = locks.computeIfAbsent(transfer, key -> new ReentrantLock());
            lock.lock();
            try {
                long cents = 1 + random.nextInt(900_000);
                inWork.put(transfer, cents);
                accounts[random.nextInt(accounts.length)].book(new Booking(number, -cents, Corpus.words(2)));
                accounts[random.nextInt(accounts.length)].book(new Booking(number, cents, Corpus.words(2)));
                inWork.remove(transfer);
            } finally {
                lock.unlock();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        TransferDesk desk = new TransferDesk();
        ExecutorService threads = Executors.newFixedThreadPool(16);
        Corpus.twice(arguments, 50_000, (from, to) -> {
            List<Future<?>> work = new ArrayList<>();
            for (int start = from; start < to; start += 100) {
                int first = start;
                work.add(threads.submit(() -> {
                    for (int number = first; number < Math.min(first + 100, to); number++) {
                        desk.deliver(number);
                    }
                }));
            }
            for (Future<?> part : work) {
                part.get();
            }
        });
    }
}
