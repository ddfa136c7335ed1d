//! Vending machines log in with Shiro for each sale and never log out. Sessions were set to last for ever, since machines complained of time limits, so that the session
//! store in memory keeps one for each sale. Beside it: the accounts of the machines, the stock of each machine, and the last sales, bounded.
//: jars shiro-core.jar slf4j-api.jar slf4j-nop.jar commons-beanutils.jar commons-logging.jar
//: libraries Shiro
//: holder MemorySessionDAO\.sessions|Session(DAO|Manager)\.sessions|SessionManager\.sessionDAO
//: set aside
//: leak 11.2
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.shiro.authc.UsernamePasswordToken;
import org.apache.shiro.mgt.DefaultSecurityManager;
import org.apache.shiro.realm.SimpleAccountRealm;
import org.apache.shiro.session.Session;
import org.apache.shiro.session.mgt.DefaultSessionManager;
import org.apache.shiro.subject.Subject;

public class VendingLogins {
    record Slot(String goods, int cents, int[] pieces) {}

    record Machine(String number, String place, List<Slot> slots) {}

    static final class Operator {
        private final DefaultSecurityManager security;
        private final List<Machine> machines = new ArrayList<>();
        private final Deque<String> sales = new ArrayDeque<>();

        Operator(int count) {
            SimpleAccountRealm accounts = new SimpleAccountRealm("machines");
            for (int number = 0; number < count; number++) {
                List<Slot> slots = new ArrayList<>();
                for (int slot = 0; slot < 14; slot++) {
                    slots.add(new Slot(Corpus.words(2), 100 + Corpus.RANDOM.nextInt(400), new int[] {20}));
                }
                machines.add(new Machine(Corpus.id("machine", number), Corpus.words(4), slots));
                accounts.addAccount(Corpus.id("machine", number), Corpus.id("secret", number * 7), "seller");
            }
            DefaultSessionManager sessions = new DefaultSessionManager();
            sessions.setGlobalSessionTimeout(-1);
            sessions.setSessionValidationSchedulerEnabled(false);
            security = new DefaultSecurityManager(accounts);
            security.setSessionManager(sessions);
        }

        void sell(int number) {
            int at = ThreadLocalRandom.current().nextInt(machines.size());
            Machine machine = machines.get(at);
            Subject subject = new Subject.Builder(security).host("198.51.100." + at % 250).buildSubject();
            subject.login(new UsernamePasswordToken(machine.number, Corpus.id("secret", at * 7)));
            subject.checkRole("seller");
            Session session = subject.getSession();
            Slot slot = machine.slots.get(number % machine.slots.size());
            session.setAttribute("sale", Corpus.id("sale", number));
            session.setAttribute("receipt", slot.goods + " " + slot.cents + " " + Corpus.words(10));
            slot.pieces[0] = slot.pieces[0] == 0 ? 20 : slot.pieces[0] - 1;
            synchronized (sales) {
                sales.add(machine.place + ": " + session.getAttribute("receipt"));
                if (sales.size() > 2_000) {
                    sales.remove();
                }
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Operator operator = new Operator(9_000);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        Corpus.twice(arguments, 6_000, (from, to) -> {
            List<Future<?>> work = new ArrayList<>();
            for (int number = from; number < to; number++) {
                int sale = number;
                work.add(threads.submit(() -> operator.sell(sale)));
            }
            for (Future<?> part : work) {
                part.get();
            }
        });
    }
}
