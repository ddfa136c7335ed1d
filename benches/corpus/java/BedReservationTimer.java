//! A task of java.util.Timer releases a reserved bed after two days; it is cancelled at the admission, and the timer keeps
//! cancelled tasks until their time. Histories of wards are large and legitimate.
//: libraries JDK
//: holder BedDesk\.timer|(Timer|TimerThread|TaskQueue)\.queue
//: set tuned
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;

/** The desk of a hospital: a bed is reserved, then the patient is admitted, or the reservation ends. */
public class BedReservationTimer {
    record Stay(String patient, String diagnosis, LocalDate from, int nights) {}

    static final class Ward {
        final String name;
        final Deque<Integer> free = new ArrayDeque<>();
        final List<Stay> history = new ArrayList<>();

        Ward(String name, int stays) {
            this.name = name;
            for (int bed = 1; bed <= 40; bed++) {
                free.add(bed);
            }
            for (int stay = 0; stay < stays; stay++) {
                LocalDate from = LocalDate.of(2020, 1, 1).plusDays(Corpus.RANDOM.nextInt(2_400));
                history.add(new Stay(Corpus.id("patient", Corpus.RANDOM.nextInt(90_000)), Corpus.words(4), from, 1 + Corpus.RANDOM.nextInt(9)));
            }
        }
    }

    static final class Reservation {
        final Ward ward;
        final int bed;
        final String patient;
        final String referral;

        Reservation(Ward ward, int bed, String patient, String referral) {
            this.ward = ward;
            this.bed = bed;
            this.patient = patient;
            this.referral = referral;
        }
    }

    static final class BedDesk {
        private static final long TWO_DAYS = 2L * 24 * 3600 * 1000;
        private final Timer timer = new Timer("bed-desk", true);
        private final Map<String, TimerTask> byPatient = new HashMap<>();

        /** Frees the bed when nobody came. */
        private final class Release extends TimerTask {
            private final Reservation reservation;

            Release(Reservation reservation) {
                this.reservation = reservation;
            }

            @Override
            public void run() {
                byPatient.remove(reservation.patient);
                reservation.ward.free.add(reservation.bed);
            }
        }

        Reservation reserve(Ward ward, String patient, String referral) {
            Reservation reservation = new Reservation(ward, ward.free.remove(), patient, referral);
            Release release = new Release(reservation);
            byPatient.put(patient, release);
            timer.schedule(release, TWO_DAYS);
            return reservation;
        }

        void admit(Reservation reservation) {
            byPatient.remove(reservation.patient).cancel();
            reservation.ward.free.add(reservation.bed);
        }
    }

    static final List<Ward> WARDS = new ArrayList<>();
    static final BedDesk DESK = new BedDesk();

    public static void main(String[] arguments) throws Exception {
        for (int ward = 0; ward < 30; ward++) {
            WARDS.add(new Ward("ward " + Corpus.words(1) + " " + ward, 5_000));
        }
        Corpus.twice(arguments, 12_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                Ward ward = WARDS.get(number % WARDS.size());
                DESK.admit(DESK.reserve(ward, Corpus.id("admission", number), Corpus.words(12)));
            }
        });
    }
}
