//! A server for data pipelines keeps its state in Spark's InMemoryStore. Each run is written there, and no run is ever deleted.
//! In the same store, larger: the catalogue of data sets, rewritten as runs end. Beside it: samples of columns, and the runs that wait.
//: jars spark-kvstore_2.12-*.jar guava-14*.jar jackson-annotations-2*.jar jackson-core-2*.jar jackson-databind-2*.jar scala-library-2*.jar spark-tags*.jar spark-common-utils*.jar spark-network-common_2*.jar
//: libraries Spark KVStore
//: holder InMemoryLists\.data|InstanceList\.data|InMemoryStore\.inMemoryLists|PipelineServer\.store
//: set tuned
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.util.kvstore.InMemoryStore;
import org.apache.spark.util.kvstore.KVIndex;

public class PipelineHistory {
    public static final class RunInfo {
        @KVIndex
        public final String id;
        @KVIndex("started")
        public final long started;
        public final String pipeline;
        public final List<String> stages = new ArrayList<>();
        public String outcome = "waiting";

        RunInfo(int number) {
            id = Corpus.id("run", number);
            started = 1_790_000_000_000L + number * 45_000L;
            pipeline = Corpus.words(2);
        }
    }

    public static final class DataSetInfo {
        @KVIndex
        public final String path;
        @KVIndex("rows")
        public final long rows;
        public final List<String> columns;
        public final String lastRun;

        DataSetInfo(int number, String lastRun) {
            path = "/lake/" + Corpus.id("set", number);
            rows = Corpus.RANDOM.nextInt(10_000_000);
            columns = List.of(Corpus.words(1), Corpus.words(1), Corpus.words(2), Corpus.words(2), Corpus.words(1));
            this.lastRun = lastRun;
        }
    }

    static final class PipelineServer {
        private static final int SETS = 26_000;
        private final InMemoryStore store = new InMemoryStore();
        private final ArrayDeque<RunInfo> waiting = new ArrayDeque<>();
        private final double[][] samples = new double[3_000][];

        PipelineServer() throws Exception {
            for (int number = 0; number < SETS; number++) {
                store.write(new DataSetInfo(number, null));
            }
            for (int column = 0; column < samples.length; column++) {
                samples[column] = Corpus.RANDOM.doubles(400).toArray();
            }
        }

        void submit(int request) throws Exception {
            RunInfo run = new RunInfo(request);
            store.write(run);
            waiting.add(run);
            if (waiting.size() > 40) {
                finish(waiting.poll());
            }
        }

        private void finish(RunInfo run) throws Exception {
            for (int stage = 0; stage < 9; stage++) {
                run.stages.add(stage + " " + Corpus.words(5) + " in " + Corpus.RANDOM.nextInt(9_000) + " ms");
            }
            run.outcome = "finished";
            store.write(run);
            store.write(new DataSetInfo(Corpus.RANDOM.nextInt(SETS), run.id));
            samples[Corpus.RANDOM.nextInt(samples.length)] = Corpus.RANDOM.doubles(400).toArray();
        }
    }

    public static void main(String[] arguments) throws Exception {
        PipelineServer server = new PipelineServer();
        Corpus.twice(arguments, 2_500, (from, to) -> {
            for (int request = from; request < to; request++) {
                server.submit(request);
            }
        });
    }
}
