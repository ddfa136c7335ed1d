//! A queue of JCTools for audit entries of a clinic: the thread that drains it starts only where an archive is configured, and none is. The
//! records of patients and a pool of buffers are legitimate.
//: jars jctools-core.jar
//: libraries JCTools
//: holder AuditTrail\.pending
//: set tuned
import java.util.HashMap;
import java.util.Map;
import org.jctools.queues.MpmcArrayQueue;
import org.jctools.queues.MpscUnboundedArrayQueue;

public class JctoolsAudit {
    static final class Visit {
        final String day;
        final String diagnosis = Corpus.words(6);

        Visit(int day) {
            this.day = "2026-" + (1 + day % 12) + "-" + (1 + day % 28);
        }
    }

    static final class Patient {
        final String number;
        final String name = Corpus.words(2);
        final Visit[] visits = new Visit[8];

        Patient(String number) {
            this.number = number;
            for (int at = 0; at < visits.length; at++) {
                visits[at] = new Visit(Corpus.RANDOM.nextInt(300));
            }
        }
    }

    static final class AuditEntry {
        final long time;
        final String user;
        final String action;
        final String patient;

        AuditEntry(long time, String user, String action, String patient) {
            this.time = time;
            this.user = user;
            this.action = action;
            this.patient = patient;
        }
    }

    interface Archive {
        void write(AuditEntry entry);
    }

    static final class AuditTrail {
        private final MpscUnboundedArrayQueue<AuditEntry> pending = new MpscUnboundedArrayQueue<>(1024);

        AuditTrail(Archive archive) {
            if (archive == null) {
                return;
            }
            Thread thread = new Thread(() -> {
                while (true) {
                    pending.drain(archive::write);
                }
            }, "audit");
            thread.setDaemon(true);
            thread.start();
        }

        void record(AuditEntry entry) {
            pending.offer(entry);
        }
    }

    static final class Clinic {
        final Map<String, Patient> patients = new HashMap<>();
        final MpmcArrayQueue<byte[]> buffers = new MpmcArrayQueue<>(256);
        final AuditTrail trail = new AuditTrail(null);

        Clinic() {
            for (int number = 0; number < 16000; number++) {
                String name = Corpus.id("patient", number);
                patients.put(name, new Patient(name));
            }
            while (buffers.offer(new byte[8192])) {
                continue;
            }
        }

        int open(String user, String number, long time) {
            byte[] buffer = buffers.poll();
            Patient patient = patients.get(number);
            byte[] page = patient.name.getBytes();
            System.arraycopy(page, 0, buffer, 0, page.length);
            trail.record(new AuditEntry(time, user, "opened the record: " + Corpus.words(3), number));
            buffers.offer(buffer);
            return page.length;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Clinic clinic = new Clinic();
        Corpus.twice(arguments, 16000, (from, to) -> {
            for (int request = from; request < to; request++) {
                String patient = Corpus.id("patient", Corpus.RANDOM.nextInt(16000));
                clinic.open("nurse-" + request % 80, patient, 1000L * request);
            }
        });
    }
}
