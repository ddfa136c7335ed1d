//! A render farm coordinates its jobs over ZooKeeper. It watches a node "cancel" of each job, which hardly ever comes, and watches stay with client and server.
//! Beside it, much larger: the scenes, the tiles of pictures in work, renewed all the time, and the nodes of the workers in ZooKeeper.
//: jars zookeeper-3*.jar zookeeper-jute-3*.jar audience-annotations-0*.jar slf4j-api.jar slf4j-nop.jar netty-all.jar netty-transport.jar netty-common.jar netty-buffer.jar netty-handler.jar metrics-core-4*.jar snappy-java-1*.jar
//: libraries ZooKeeper
//: holder ZKWatchManager\.existWatches|ZooKeeper\.watchManager|WatchManager\.(watchTable|watch2Paths)|DataTree\.dataWatches|JobBoard\.keeper
//: set tuned
//: leak 5.8
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

public class RenderFarm {
    record Mesh(String material, float[] points) {}

    record Scene(String title, List<Mesh> meshes) {}

    /** What one frame needs while it is drawn. */
    static final class FrameJob implements Watcher {
        final String number;
        final String artist;
        final String options;
        volatile boolean cancelled;

        FrameJob(int request) {
            number = Corpus.id("job", request);
            artist = Corpus.words(2);
            options = Corpus.words(12);
        }

        @Override
        public void process(WatchedEvent event) {
            cancelled = event.getType() == Event.EventType.NodeCreated;
        }
    }

    static final class JobBoard {
        private final ZooKeeper keeper;

        JobBoard(int port) throws Exception {
            CountDownLatch connected = new CountDownLatch(1);
            keeper = new ZooKeeper("127.0.0.1:" + port, 30_000, event -> connected.countDown());
            connected.await();
            keeper.create("/workers", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            for (int worker = 0; worker < 700; worker++) {
                keeper.create("/workers/" + Corpus.id("worker", worker), Corpus.words(40).getBytes(), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            }
        }

        void begin(FrameJob job) throws Exception {
            keeper.exists("/cancel/" + job.number, job);
        }
    }

    static final class Farm {
        private final JobBoard board;
        private final List<Scene> scenes = new ArrayList<>();
        private final float[][] tiles = new float[64][];

        Farm(int port) throws Exception {
            board = new JobBoard(port);
            for (int scene = 0; scene < 600; scene++) {
                List<Mesh> meshes = new ArrayList<>();
                for (int mesh = 0; mesh < 40; mesh++) {
                    float[] points = new float[300];
                    for (int point = 0; point < points.length; point++) {
                        points[point] = Corpus.RANDOM.nextFloat();
                    }
                    meshes.add(new Mesh(Corpus.words(1), points));
                }
                scenes.add(new Scene(Corpus.words(3), meshes));
            }
            for (int tile = 0; tile < tiles.length; tile++) {
                tiles[tile] = new float[128 * 128 * 4];
            }
        }

        void render(int request) throws Exception {
            FrameJob job = new FrameJob(request);
            board.begin(job);
            Scene scene = scenes.get(Corpus.RANDOM.nextInt(scenes.size()));
            float[] tile = new float[128 * 128 * 4];
            for (Mesh mesh : scene.meshes()) {
                if (job.cancelled) {
                    return;
                }
                for (int point = 0; point < mesh.points().length; point++) {
                    tile[point * 7] += mesh.points()[point];
                }
            }
            tiles[request % tiles.length] = tile;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createTempDirectory("farm");
        ZooKeeperServer server = new ZooKeeperServer(folder.toFile(), folder.toFile(), 2_000);
        NIOServerCnxnFactory factory = new NIOServerCnxnFactory();
        factory.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10, -1, false);
        factory.startup(server, true);
        Farm farm = new Farm(factory.getLocalPort());
        Corpus.twice(arguments, 2_400, (from, to) -> {
            for (int request = from; request < to; request++) {
                farm.render(request);
            }
        });
    }
}
