//! Formulas of an insurance are compiled with Janino and kept by their text, into which the values of a customer were written: a class and
//! its loader for each request. The policies are legitimate, and about as large.
//: jars janino*.jar commons-compiler*.jar
//: libraries Janino
//: holder TariffEngine\.compiled
//: set tuned
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.codehaus.janino.ExpressionEvaluator;

public class JaninoTariffs {
    static final class Clause {
        final String text = Corpus.words(9);
        final double limit = Corpus.RANDOM.nextInt(100_000);
    }

    static final class Policy {
        final String number;
        final String holder = Corpus.words(2);
        final List<Clause> clauses = new ArrayList<>(6);
        final double sum = 1000 + Corpus.RANDOM.nextInt(50_000);

        Policy(String number) {
            this.number = number;
            for (int clause = 0; clause < 6; clause++) {
                clauses.add(new Clause());
            }
        }
    }

    static final class TariffEngine {
        private final Map<String, ExpressionEvaluator> compiled = new HashMap<>();

        double price(String formula, double sum) throws Exception {
            ExpressionEvaluator evaluator = compiled.get(formula);
            if (evaluator == null) {
                evaluator = new ExpressionEvaluator();
                evaluator.setParameters(new String[] {"sum"}, new Class<?>[] {double.class});
                evaluator.setExpressionType(double.class);
                evaluator.cook(formula);
                compiled.put(formula, evaluator);
            }
            return (Double) evaluator.evaluate(new Object[] {sum});
        }
    }

    static final class Insurance {
        final Map<String, Policy> policies = new HashMap<>();
        final TariffEngine tariffs = new TariffEngine();

        Insurance() {
            for (int number = 0; number < 14000; number++) {
                String name = Corpus.id("policy", number);
                policies.put(name, new Policy(name));
            }
        }

        double offer(String policy, int age, double factor) throws Exception {
            // Age and factor should be parameters of the formula.
            String formula = String.format(Locale.ROOT, "sum * 0.012 * %.4f + Math.max(0, %d - 25) * 1.75", factor, age);
            return tariffs.price(formula, policies.get(policy).sum);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Insurance insurance = new Insurance();
        Corpus.twice(arguments, 900, (from, to) -> {
            for (int request = from; request < to; request++) {
                String policy = Corpus.id("policy", Corpus.RANDOM.nextInt(14000));
                insurance.offer(policy, 18 + Corpus.RANDOM.nextInt(60), 0.5 + Corpus.RANDOM.nextDouble());
            }
        });
    }
}
