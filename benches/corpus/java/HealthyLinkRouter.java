//! Healthy: a router of short links, a trie filled at start, and a limit of requests for each client: buckets that were not used for a while are
//! removed with each sweep, so that about as many remain.
//: jars
//: libraries JDK
//: own Router\.(root|buckets)|LinkNode\.children
//: set tuned
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

public class HealthyLinkRouter {
    static final class LinkNode {
        final Map<Character, LinkNode> children = new TreeMap<>();
        String target;
    }

    static final class Bucket {
        final String client;
        int tokens = 20;
        int last;

        Bucket(String client) {
            this.client = client;
        }
    }

    static final class Router {
        final LinkNode root = new LinkNode();
        final ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();

        Router() {
            for (int number = 0; number < 22_000; number++) {
                LinkNode node = root;
                for (char letter : Integer.toString(number * 7_919 & 0xffffff, 36).toCharArray()) {
                    node = node.children.computeIfAbsent(letter, key -> new LinkNode());
                }
                node.target = "https://example.org/" + Corpus.words(3).replace(' ', '/');
            }
        }

        void follow(int request) {
            String client = "10." + (request / 65_536) + "." + (request >> 8 & 255) + "." + (request & 255) + ":" + Corpus.words(1);
            Bucket bucket = buckets.computeIfAbsent(client, Bucket::new);
            bucket.tokens--;
            bucket.last = request;
            if (request % 500 == 0) {
                for (Iterator<Bucket> sweep = buckets.values().iterator(); sweep.hasNext();) {
                    if (sweep.next().last < request - 12_000) {
                        sweep.remove();
                    }
                }
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Router router = new Router();
        Corpus.twice(arguments, 80_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                router.follow(request);
            }
        });
    }
}
