package rules;

import bench.Program;
import bench.Truth;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Code cache: 1,500 hidden classes, each with a method that the first compiler has
 * compiled with profiling, one in ten also by the second compiler. */
public final class CodeCache implements Program {
    private static final int RULES = 1500;
    /** The first compiler takes a method after some hundred calls, the second after thousands. */
    private static final int CALLS = 2000;
    private static final int MANY_CALLS = 20_000;
    static long sum;

    @Override
    public void start(Path work) throws Exception {
        fill(RULES);
        // Compilers work in the background: wait until their queue is likely to be empty.
        Thread.sleep(5000);
    }

    private static void fill(int count) throws Exception {
        byte[] rule;
        try (InputStream in = CodeCache.class.getResourceAsStream("Discount.class")) {
            rule = in.readAllBytes();
        }
        for (int index = 0; index < count; index++) {
            RuleEngine.define(rule);
        }
        for (int index = 0; index < count; index++) {
            sum += RuleEngine.heat(RuleEngine.rules.get(index), index % 10 == 0 ? MANY_CALLS : CALLS);
        }
    }

    @Override
    public List<Step> fix() {
        return List.of(
                new Step("clear rules.RuleEngine.rules", RuleEngine.rules::clear),
                new Step("define other rules", CodeCache::defineOthers));
    }

    /** JDK 17 frees code of unloaded classes in the background, while other code is compiled. */
    private static void defineOthers() throws Exception {
        for (int round = 0; round < 3; round++) {
            fill(RULES / 10);
            RuleEngine.rules.clear();
            System.gc();
        }
    }

    @Override
    public Map<String, Object> truth() {
        return new Truth("code-cache", "rules.RuleEngine.rules", null)
                .and("native_bytes_are", "in codelist.txt, methods rules.Discount")
                .and("freed_later", "JDK 17 frees code of unloaded classes only as it compiles more")
                .and("classes", RULES);
    }
}
