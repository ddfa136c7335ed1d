//! Analysts get a Spark session each, and drop it when they are done. The listener that each session adds to the bus of the application stays, and with it the session. Beside it, larger: a table of
//! rates, filled at start.
//: issue apache/spark#31839
//: version Spark 3.1.1 (SPARK-34087)
//: from pypi pyspark 3.1.1
//: jars *.jar
//: libraries Spark
//: options --add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/sun.nio.ch=ALL-UNNAMED --add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/java.util.concurrent=ALL-UNNAMED --add-opens=java.base/java.net=ALL-UNNAMED --add-opens=java.base/java.lang.invoke=ALL-UNNAMED --add-opens=java.base/java.io=ALL-UNNAMED
//: heap 400m
//: holder listenersPlusTimers|AsyncEventQueue|LiveListenerBus|listenerBus
//: set tuned
import java.util.HashMap;
import java.util.Map;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.spark.sql.SparkSession;

public class AnalystWorkspaces {
    static final Map<String, double[]> RATES = new HashMap<>();
    static SparkSession spark;
    static long settings;

    static void analyze(int request) {
        SparkSession workspace = spark.newSession();
        workspace.conf().set("analyst.name", Corpus.words(2));
        settings += workspace.sessionState().conf().getAllConfs().size() + workspace.sql("SET").queryExecution().logical().children().size();
    }

    public static void main(String[] arguments) throws Exception {
        Logger.getRootLogger().setLevel(Level.OFF);
        for (int number = 0; number < 90_000; number++) {
            RATES.put(Corpus.id("rate", number), Corpus.RANDOM.doubles(40).toArray());
        }
        spark = SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false").config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.driver.host", "127.0.0.1").config("spark.testing.memory", "471859200").getOrCreate();
        Corpus.twice(arguments, 150, (from, to) -> {
            for (int request = from; request < to; request++) {
                analyze(request);
            }
        });
    }
}
