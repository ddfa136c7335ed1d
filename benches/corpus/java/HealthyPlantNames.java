//! Healthy: a nursery interns the names of plants and of their parts: the vocabulary is fixed, and every name was met in the first minutes. Stock is
//! sold and replaced all the time.
//: jars guava.jar
//: libraries Guava
//: own Nursery\.(names|stock|catalogue)|Interners
//: set tuned
import com.google.common.collect.Interner;
import com.google.common.collect.Interners;
import java.util.ArrayList;
import java.util.List;

public class HealthyPlantNames {
    record Plant(String name, String part, int pot, double price) {}

    static final class Nursery {
        final Interner<String> names = Interners.newStrongInterner();
        final List<String> catalogue = new ArrayList<>();
        final Plant[] stock = new Plant[40_000];

        Nursery() {
            for (int number = 0; number < 30_000; number++) {
                catalogue.add("Plantae " + Corpus.words(2) + " var. " + number);
            }
        }

        void replace(int at, int request) {
            String name = names.intern(new String(catalogue.get(Corpus.RANDOM.nextInt(catalogue.size()))));
            stock[at] = new Plant(name, names.intern("part " + request % 40), 5 + request % 30, request * 0.01);
        }
    }

    static Nursery nursery;

    public static void main(String[] arguments) throws Exception {
        nursery = new Nursery();
        Corpus.twice(arguments, 300_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                nursery.replace(request * 7 % nursery.stock.length, request);
            }
        });
    }
}
