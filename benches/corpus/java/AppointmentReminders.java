//! A practice reminds patients with a scheduled executor of the JDK, which keeps a cancelled task until its time. An appointment that moves cancels its
//! reminder and makes another. Beside it: the records of the patients, and the plan of the rooms, in which entries come and go.
//: jars
//: libraries JDK
//: holder Practice\.reminders|ScheduledThreadPoolExecutor\.(workQueue|queue)|DelayedWorkQueue\.queue
//: set tuned
//: leak 2.1
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

public class AppointmentReminders {
    static final int PATIENTS = 14_000;

    record Visit(LocalDateTime at, String reason, String findings) {}

    static final class Patient {
        final String name = Corpus.words(2);
        final String insurance = Corpus.words(1) + " " + Corpus.RANDOM.nextInt(900_000);
        final List<Visit> visits = new ArrayList<>();
    }

    static final class Appointment {
        final int patient;
        final String room;
        LocalDateTime at;
        ScheduledFuture<?> reminder;

        Appointment(int patient, String room, LocalDateTime at) {
            this.patient = patient;
            this.room = room;
            this.at = at;
        }
    }

    record Message(String phone, String text, LocalDateTime at) {}

    static final class Practice {
        private final Map<Integer, Patient> patients = new HashMap<>();
        private final Map<String, Appointment> appointmentsByRoom = new HashMap<>();
        private final ScheduledExecutorService reminders = Executors.newScheduledThreadPool(2);

        Practice() {
            for (int number = 0; number < PATIENTS; number++) {
                Patient patient = new Patient();
                for (int visit = 0; visit < 2; visit++) {
                    patient.visits.add(new Visit(LocalDateTime.of(2025, 1 + number % 12, 3, 9, 0), Corpus.words(4), Corpus.words(12)));
                }
                patients.put(number, patient);
            }
        }

        void send(Message message) {
            patients.get(0).visits.get(0).reason().concat(message.text());
        }

        void remind(Appointment appointment) {
            Message message = new Message("+43 " + Corpus.RANDOM.nextInt(9_000_000), patients.get(appointment.patient).name + ", please come: " + Corpus.words(9),
                    appointment.at);
            appointment.reminder = reminders.schedule(() -> send(message), 40 + Corpus.RANDOM.nextInt(30), TimeUnit.HOURS);
        }

        void request(int number) {
            String room = "room " + number % 500;
            Appointment appointment = appointmentsByRoom.get(room);
            if (appointment != null) {
                appointment.reminder.cancel(false);
                appointment.at = appointment.at.plusHours(2);
            }
            if (appointment == null || number % 7 == 0) {
                appointment = new Appointment(Corpus.RANDOM.nextInt(PATIENTS), room, LocalDateTime.of(2026, 3, 1 + number % 28, 10, 0));
                appointmentsByRoom.put(room, appointment);
            }
            remind(appointment);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Practice practice = new Practice();
        Corpus.twice(arguments, 9_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                practice.request(number);
            }
        });
    }
}
