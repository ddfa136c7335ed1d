//! Healthy: ticket machines log in with Shiro, sell and log out; some forget to, and their sessions end by the validation that runs with the sales. The tariffs and accounts were
//! loaded at start.
//: jars shiro-core.jar slf4j-api.jar slf4j-nop.jar commons-beanutils.jar commons-logging.jar
//: libraries Shiro
//: own TicketOffice\.(security|tariffs)|MemorySessionDAO|SimpleAccountRealm|\busers\b|\bsessions\b
//: set aside
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.shiro.authc.UsernamePasswordToken;
import org.apache.shiro.mgt.DefaultSecurityManager;
import org.apache.shiro.realm.SimpleAccountRealm;
import org.apache.shiro.session.Session;
import org.apache.shiro.session.mgt.DefaultSessionManager;
import org.apache.shiro.session.mgt.SimpleSession;
import org.apache.shiro.session.mgt.eis.MemorySessionDAO;
import org.apache.shiro.subject.Subject;

public class HealthyTicketLogins {
    record Tariff(String from, String to, int cents, String conditions) {}

    static final class TicketOffice {
        final DefaultSecurityManager security;
        final MemorySessionDAO store = new MemorySessionDAO();
        final List<Tariff> tariffs = new ArrayList<>();
        final Deque<Session> forgotten = new ArrayDeque<>();

        TicketOffice() {
            SimpleAccountRealm accounts = new SimpleAccountRealm("machines");
            for (int number = 0; number < 4_000; number++) {
                accounts.addAccount(Corpus.id("machine", number), Corpus.id("secret", number * 3), "seller");
            }
            for (int number = 0; number < 30_000; number++) {
                tariffs.add(new Tariff(Corpus.words(2), Corpus.words(2), 200 + number % 900, Corpus.words(6)));
            }
            DefaultSessionManager sessions = new DefaultSessionManager();
            sessions.setSessionDAO(store);
            sessions.setSessionValidationSchedulerEnabled(false);
            security = new DefaultSecurityManager(accounts);
            security.setSessionManager(sessions);
        }

        void sell(int number) {
            int machine = Corpus.RANDOM.nextInt(4_000);
            Subject subject = new Subject.Builder(security).buildSubject();
            subject.login(new UsernamePasswordToken(Corpus.id("machine", machine), Corpus.id("secret", machine * 3)));
            Session session = subject.getSession();
            Tariff tariff = tariffs.get(Corpus.RANDOM.nextInt(tariffs.size()));
            session.setAttribute("ticket", tariff.from() + " " + tariff.to() + " " + tariff.cents() + " " + Corpus.words(8));
            if (number % 4 != 0) {
                subject.logout();
                return;
            }
            forgotten.add(session);
            if (forgotten.size() > 1_800) {
                // The validation removes what nobody has used for long.
                Object id = forgotten.remove().getId();
                store.getActiveSessions().stream().filter(active -> active.getId().equals(id)).findFirst().ifPresent(active -> {
                    ((SimpleSession) active).setExpired(true);
                    store.delete(active);
                });
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        TicketOffice office = new TicketOffice();
        Corpus.twice(arguments, 12_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                office.sell(number);
            }
        });
    }
}
