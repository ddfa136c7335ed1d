//! An application of Spark runs jobs of very many short tasks. Its queue of events is too short, so that some ends of tasks are dropped, and the listener for the page of
//! the application keeps these tasks and their stages as running. Beside it, larger: a table of measurements, filled at start.
//: issue apache/spark#41423
//: version Spark 3.5.3 (SPARK-43523)
//: from pypi pyspark 3.5.3
//: jars *.jar
//: libraries Spark
//: options --add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/sun.nio.ch=ALL-UNNAMED --add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/java.util.concurrent=ALL-UNNAMED --add-opens=java.base/java.net=ALL-UNNAMED --add-opens=java.base/java.lang.invoke=ALL-UNNAMED --add-opens=java.base/java.io=ALL-UNNAMED --add-opens=java.base/java.lang.reflect=ALL-UNNAMED --add-opens=java.base/sun.nio.cs=ALL-UNNAMED --add-opens=java.base/sun.util.calendar=ALL-UNNAMED --add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED
//: heap 400m
//: holder live(Tasks|Stages|Jobs)|AppStatusListener
//: set tuned
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

public class TaskStorm {
    record Measurement(String place, double[] values) {}

    static final List<Measurement> MEASUREMENTS = new ArrayList<>();
    static JavaSparkContext spark;
    static long counted;

    public static void main(String[] arguments) throws Exception {
        Logger.getRootLogger().setLevel(Level.OFF);
        for (int number = 0; number < 90_000; number++) {
            MEASUREMENTS.add(new Measurement(Corpus.words(2), Corpus.RANDOM.doubles(20).toArray()));
        }
        spark = new JavaSparkContext(new SparkConf().setMaster("local[4]").setAppName("measurements").set("spark.ui.enabled", "false")
                .set("spark.driver.bindAddress", "127.0.0.1").set("spark.driver.host", "127.0.0.1").set("spark.testing.memory", "471859200")
                .set("spark.ui.retainedTasks", "500").set("spark.ui.retainedStages", "5").set("spark.ui.retainedJobs", "5")
                .set("spark.scheduler.listenerbus.eventqueue.capacity", "20"));
        Corpus.twice(arguments, 4, (from, to) -> {
            for (int job = from; job < to; job++) {
                counted += spark.parallelize(Collections.nCopies(1_500, job), 1_500).count();
            }
            Thread.sleep(1_000);
        });
    }
}
