//! Healthy: plans of a building in persistent maps of Vavr. The last versions are kept for undo, a fixed number, and share nearly all of their nodes. The materials were loaded at
//! start.
//: jars vavr-0.x.jar vavr-match-0.x.jar
//: libraries Vavr
//: own Studio\.(versions|materials|plan)|HashArrayMappedTrie|io\.vavr
//: set aside
import io.vavr.collection.HashMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

public class HealthyPlanVersions {
    record Material(String code, String name, double[] prices) {}

    record Part(String name, int material, double east, double north, String remark) {}

    static final class Studio {
        final List<Material> materials = new ArrayList<>();
        final Deque<HashMap<Integer, Part>> versions = new ArrayDeque<>();
        HashMap<Integer, Part> plan = HashMap.empty();

        Studio() {
            for (int number = 0; number < 12_000; number++) {
                materials.add(new Material(Corpus.id("material", number), Corpus.words(3), Corpus.RANDOM.doubles(20).toArray()));
            }
            for (int number = 0; number < 24_000; number++) {
                plan = plan.put(number, part(number));
            }
        }

        Part part(int number) {
            return new Part(Corpus.words(2), number % 12_000, Corpus.RANDOM.nextDouble(), Corpus.RANDOM.nextDouble(), Corpus.words(4));
        }

        void edit(int number) {
            versions.add(plan);
            if (versions.size() > 400) {
                versions.remove();
            }
            plan = plan.put(Corpus.RANDOM.nextInt(24_000), part(number));
        }
    }

    public static void main(String[] arguments) throws Exception {
        Studio studio = new Studio();
        Corpus.twice(arguments, 30_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                studio.edit(number);
            }
        });
    }
}
