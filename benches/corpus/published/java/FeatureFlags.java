//! Services read their features from ZooKeeper by Curator: a node cache for each request, closed when it is done. Curator's map of watchers keeps each
//! cache. Beside it, larger: the products, filled at start.
//: issue apache/curator#688
//: version Curator 2.6.0 (CURATOR-167)
//: from pypi pyspark 2.1.2
//: jars curator-*.jar zookeeper-3*.jar guava-14*.jar slf4j-api*.jar slf4j-log4j12*.jar log4j-1.2*.jar jackson-*-asl*.jar
//: libraries Curator, ZooKeeper
//: holder NamespaceWatcherMap|watcherMap|namespaceWatcherMap|ZKWatchManager|dataWatches
//: set tuned
import java.io.File;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.cache.NodeCache;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

public class FeatureFlags {
    record Product(String number, String name, String[] tags, double price) {}

    static final class Flags {
        final Map<String, Product> products = new HashMap<>();
        final CuratorFramework client;

        Flags(int port) throws Exception {
            for (int number = 0; number < 60_000; number++) {
                products.put(Corpus.id("product", number), new Product(Corpus.id("product", number), Corpus.words(3), new String[] {Corpus.words(1)}, number * 0.1));
            }
            client = CuratorFrameworkFactory.newClient("127.0.0.1:" + port, new RetryOneTime(100));
            client.start();
            client.create().forPath("/features", "dark-mode=on".getBytes());
        }

        boolean isOn(int request) throws Exception {
            NodeCache cache = new NodeCache(client, "/features");
            cache.start(true);
            boolean on = new String(cache.getCurrentData().getData()).endsWith("on");
            cache.close();
            return on;
        }
    }

    static Flags flags;

    public static void main(String[] arguments) throws Exception {
        org.apache.log4j.Logger.getRootLogger().setLevel(org.apache.log4j.Level.OFF);
        File folder = Files.createTempDirectory("zookeeper").toFile();
        NIOServerCnxnFactory server = new NIOServerCnxnFactory();
        server.configure(new InetSocketAddress("127.0.0.1", 0), 10);
        server.startup(new ZooKeeperServer(folder, folder, 2_000));
        flags = new Flags(server.getLocalPort());
        Corpus.twice(arguments, 2_500, (from, to) -> {
            for (int request = from; request < to; request++) {
                flags.isOn(request);
            }
        });
    }
}
