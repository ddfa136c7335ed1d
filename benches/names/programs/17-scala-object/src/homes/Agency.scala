package homes

import names.Run
import scala.collection.concurrent.TrieMap

final case class Listing(number: String, address: String, text: String, prices: Array[Long])

/** Listings of houses, by the address of their page: those that are sold stay. */
object ListingCache {
  private val listings = TrieMap.empty[String, Listing]

  def find(page: String): Listing = listings.getOrElseUpdate(page, Listing(page, Run.words(4), Run.words(12), Run.numbers(24)))
}

object Agency {
  private def visit(from: Int, to: Int): Long =
    (from until to).map(number => ListingCache.find(Run.id("listing", number)).prices.length.toLong).sum

  def main(arguments: Array[String]): Unit = {
    Run.begin()
    var seen = visit(0, 1500)
    Run.before()
    seen += visit(1500, 15000)
    Run.end()
    println(seen)
  }
}
