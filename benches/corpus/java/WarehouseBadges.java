//! Workers of a warehouse sign in with a badge at each scanner. The sessions of Shiro have no timeout and nobody signs out.
//! Beside it, larger: the stock by bin, which each scan changes, the last movements, bounded, and the accounts.
//: jars shiro-core.jar commons-beanutils.jar commons-logging.jar slf4j-api.jar slf4j-nop.jar
//: libraries Shiro
//: holder MemorySessionDAO\.sessions|sessionDAO
//: set tuned
import java.util.ArrayDeque;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import org.apache.shiro.authc.UsernamePasswordToken;
import org.apache.shiro.mgt.DefaultSecurityManager;
import org.apache.shiro.realm.SimpleAccountRealm;
import org.apache.shiro.session.Session;
import org.apache.shiro.session.mgt.DefaultSessionManager;
import org.apache.shiro.subject.Subject;

public class WarehouseBadges {
    static final class Bin {
        final String code;
        final String article;
        final String remark;
        int pieces;
        Date counted = new Date(1_790_000_000_000L);

        Bin(int number) {
            code = Corpus.id("bin", number);
            article = Corpus.words(2);
            remark = Corpus.words(4);
            pieces = Corpus.RANDOM.nextInt(500);
        }
    }

    record Movement(String bin, String worker, int pieces, Date at) {}

    static final class Stock {
        private final Map<String, Bin> bins = new HashMap<>();
        private final ArrayDeque<Movement> movements = new ArrayDeque<>();

        Stock() {
            for (int number = 0; number < 90_000; number++) {
                Bin bin = new Bin(number);
                bins.put(bin.code, bin);
            }
        }

        void move(String worker, int pieces, long time) {
            Bin bin = bins.get(Corpus.id("bin", Corpus.RANDOM.nextInt(90_000)));
            bin.pieces += pieces;
            bin.counted = new Date(time);
            movements.add(new Movement(bin.code, worker, pieces, bin.counted));
            if (movements.size() > 20_000) {
                movements.poll();
            }
        }
    }

    static final class ScannerService {
        private final DefaultSecurityManager security = new DefaultSecurityManager();
        private final Stock stock = new Stock();

        ScannerService() {
            SimpleAccountRealm accounts = new SimpleAccountRealm("badges");
            for (int worker = 0; worker < 1_500; worker++) {
                accounts.addAccount(Corpus.id("worker", worker), "pin" + worker, "picker", "floor" + worker % 7);
            }
            security.setRealm(accounts);
            DefaultSessionManager sessions = new DefaultSessionManager();
            // Scanners shall not sign out in the middle of a shift.
            sessions.setGlobalSessionTimeout(-1);
            sessions.setSessionValidationSchedulerEnabled(false);
            security.setSessionManager(sessions);
        }

        void shift(int request) {
            int worker = request % 1_500;
            Subject subject = new Subject.Builder(security).buildSubject();
            subject.login(new UsernamePasswordToken(Corpus.id("worker", worker), "pin" + worker));
            Session session = subject.getSession();
            session.setAttribute("scanner", Corpus.id("scanner", Corpus.RANDOM.nextInt(400)));
            session.setAttribute("zone", Corpus.words(2));
            session.setAttribute("tour", Corpus.words(7));
            for (int scan = 0; scan < 12; scan++) {
                subject.checkRole("picker");
                stock.move((String) subject.getPrincipal(), 1 + scan, 1_790_000_000_000L + request * 60_000L + scan);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        ScannerService service = new ScannerService();
        Corpus.twice(arguments, 1_900, (from, to) -> {
            for (int request = from; request < to; request++) {
                service.shift(request);
            }
        });
    }
}
