//! A map with many values of Commons Collections: a mail service keeps receipts by the address that sent, to bundle them into a daily report. No
//! report is made for addresses outside, and their receipts stay. The mailboxes are legitimate, and larger.
//: jars commons-collections4-*.jar
//: libraries Commons Collections
//: holder Receipts\.bySender
//: set tuned
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.collections4.MultiValuedMap;
import org.apache.commons.collections4.multimap.ArrayListValuedHashMap;
import org.apache.commons.collections4.queue.CircularFifoQueue;

public class CollectionsMailbox {
    static final class Mail {
        final String from;
        final String subject;
        final byte[] body;

        Mail(String from) {
            this.from = from;
            subject = Corpus.words(5);
            body = Corpus.words(40).getBytes();
        }
    }

    static final class Mailbox {
        final String address;
        final CircularFifoQueue<Mail> mails = new CircularFifoQueue<>(40);

        Mailbox(String address) {
            this.address = address;
        }
    }

    static final class Receipt {
        final String to;
        final String subject;
        final long time;

        Receipt(String to, String subject, long time) {
            this.to = to;
            this.subject = subject;
            this.time = time;
        }
    }

    static final class Receipts {
        private final MultiValuedMap<String, Receipt> bySender = new ArrayListValuedHashMap<>();

        void add(String sender, Receipt receipt) {
            bySender.put(sender, receipt);
        }

        int report(String sender) {
            return bySender.remove(sender).size();
        }
    }

    static final class MailService {
        final List<Mailbox> mailboxes = new ArrayList<>();
        final Receipts receipts = new Receipts();

        MailService() {
            for (int number = 0; number < 1000; number++) {
                Mailbox mailbox = new Mailbox("box" + number + "@example.org");
                for (int mail = 0; mail < 40; mail++) {
                    mailbox.mails.add(new Mail("friend" + mail + "@example.com"));
                }
                mailboxes.add(mailbox);
            }
        }

        void received(int number) {
            Mailbox mailbox = mailboxes.get(Corpus.RANDOM.nextInt(mailboxes.size()));
            boolean inside = number % 3 == 0;
            String sender = inside ? mailboxes.get(number % 1000).address : "writer" + Corpus.RANDOM.nextInt(900) + "@example.com";
            Mail mail = new Mail(sender);
            mailbox.mails.add(mail);
            receipts.add(sender, new Receipt(mailbox.address, "Received: " + mail.subject, 1000L * number));
        }

        void endOfDay() {
            for (Mailbox mailbox : mailboxes) {
                receipts.report(mailbox.address);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        MailService service = new MailService();
        Corpus.twice(arguments, 8000, (from, to) -> {
            for (int request = from; request < to; request++) {
                service.received(request);
                if (request % 2000 == 1999) {
                    service.endOfDay();
                }
            }
        });
    }
}
