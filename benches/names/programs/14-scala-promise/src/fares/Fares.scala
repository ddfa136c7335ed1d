package fares

import names.Run
import scala.concurrent.ExecutionContext.Implicits.global
import scala.concurrent.{Future, Promise}

final case class Offer(number: String, carrier: String, stops: String, prices: Array[Long]) {
  @volatile private var valid = true
  def withdraw(): Unit = valid = false
  def isValid: Boolean = valid
}

/** The office of a travel agency. Each race of carriers leaves its handler at the promise of the closing, which is kept for the whole day, as
  * in scala/bug#10513.
  */
object Office {
  val closing: Promise[Unit] = Promise[Unit]()

  def race(offer: Offer): Future[Offer] = {
    closing.future.foreach(_ => offer.withdraw())
    Future.successful(offer)
  }
}

object Fares {
  private def ask(from: Int, to: Int): Int =
    (from until to).map { number =>
      val offer = Offer(Run.id("offer", number), Run.words(2), Run.words(8), Run.numbers(40))
      Office.race(offer).value.count(_.get.isValid)
    }.sum

  def main(arguments: Array[String]): Unit = {
    Run.begin()
    var offers = ask(0, 1500)
    Run.before()
    offers += ask(1500, 15000)
    Run.end()
    println(offers)
  }
}
