package desk

import names.Run
import org.apache.spark.scheduler.{SparkListener, SparkListenerJobEnd}
import org.apache.spark.{SparkConf, SparkContext}

/** Counts the jobs of a workspace. */
final class WorkspaceListener(val workspace: String) extends SparkListener {
  private val title = Run.words(6)
  private val history = Run.numbers(200)
  private var jobs = 0

  override def onJobEnd(end: SparkListenerJobEnd): Unit = {
    history(jobs % history.length) = end.time + title.length
    jobs += 1
  }
}

/** Analysts get a workspace each, and drop it when they are done. Its listener stays on the bus of the context, as those of sessions did in
  * apache/spark#31839.
  */
object Workspaces {
  private def open(context: SparkContext, from: Int, to: Int): Unit =
    for (number <- from until to) context.addSparkListener(new WorkspaceListener(Run.id("workspace", number)))

  def main(arguments: Array[String]): Unit = {
    Run.begin()
    val context = new SparkContext(new SparkConf().setMaster("local[1]").setAppName("workspaces").set("spark.ui.enabled", "false"))
    open(context, 0, 600)
    var sum = context.parallelize(1 to 1000, 2).sum()
    Run.before()
    open(context, 600, 6000)
    sum += context.parallelize(1 to 1000, 2).sum()
    Run.end()
    context.stop()
    println(sum)
  }
}
