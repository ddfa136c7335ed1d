//! An auction house with RxJava. The page of each viewer subscribes to the bids of the house and drops the disposable: a closed page
//! stays subscribed, with the bids it has gathered. Beside it, larger: the catalogue of the lots.
//: jars rxjava.jar reactive-streams.jar
//: libraries RxJava
//: holder AuctionHouse\.placedBids|PublishSubject\.subscribers
//: set tuned
//: leak 10.1
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.subjects.PublishSubject;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class AuctionViewers {
    static final int LOTS = 24_000;

    record Bid(int lot, String bidder, BigDecimal amount, Instant placed) {}

    static final class Lot {
        final String title = Corpus.words(5);
        final String description = Corpus.words(24);
        final String consignor = Corpus.words(2);
        final List<String> pictures = new ArrayList<>(3);
        BigDecimal price = BigDecimal.valueOf(10 + Corpus.RANDOM.nextInt(5000));

        Lot(int number) {
            for (int picture = 0; picture < 3; picture++) {
                pictures.add("https://auction.example.org/lots/" + number + "/" + picture + ".jpg");
            }
        }
    }

    static final class AuctionHouse {
        final Map<Integer, Lot> lots = new HashMap<>();
        private final PublishSubject<Bid> placedBids = PublishSubject.create();

        AuctionHouse() {
            for (int number = 0; number < LOTS; number++) {
                lots.put(number, new Lot(number));
            }
        }

        Observable<Bid> bidsOf(int lot) {
            return placedBids.filter(bid -> bid.lot() == lot);
        }

        void bid(int lot, String bidder) {
            Lot sold = lots.get(lot);
            sold.price = sold.price.add(BigDecimal.valueOf(1 + Corpus.RANDOM.nextInt(50)));
            placedBids.onNext(new Bid(lot, bidder, sold.price, Instant.ofEpochSecond(1_764_000_000L + Corpus.RANDOM.nextInt(86_400))));
        }
    }

    /** What a viewer sees of a lot: the price, and the last bids. */
    static final class LotPage {
        final String viewer;
        final int lot;
        final List<Bid> shown = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();
        private String headline = "";

        LotPage(String viewer, int lot, AuctionHouse house) {
            this.viewer = viewer;
            this.lot = lot;
            for (int note = 0; note < 4; note++) {
                notes.add(Corpus.words(8));
            }
            house.bidsOf(lot).distinctUntilChanged(Bid::amount).subscribe(shown::add);
            house.bidsOf(lot).map(Bid::amount).scan(BigDecimal::max).map(highest -> "Highest bid: " + highest)
                    .subscribe(text -> headline = text, failure -> headline = "No prices at the moment");
        }
    }

    /** Pages that are open now; a viewer closes one after some time. */
    static final class Site {
        final AuctionHouse house = new AuctionHouse();
        final Map<String, LotPage> open = new HashMap<>();

        void visit(int number) {
            String viewer = Corpus.id("viewer", number);
            int lot = Corpus.RANDOM.nextInt(LOTS / 100);
            open.put(viewer, new LotPage(viewer, lot, house));
            house.bid(lot, viewer);
            if (number >= 40) {
                open.remove(Corpus.id("viewer", number - 40));
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Site site = new Site();
        Corpus.twice(arguments, 2_500, (from, to) -> {
            for (int number = from; number < to; number++) {
                site.visit(number);
            }
        });
    }
}
