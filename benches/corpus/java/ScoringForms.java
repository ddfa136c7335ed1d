//! A bank writes the scoring of each form as a class with Javassist. The classes end with their loaders, but the pool of Javassist keeps the
//! definition of each. Beside it: the customers, decisions in a bounded queue by date, and the statistics of the month, made anew.
//: jars javassist-3*.jar
//: libraries Javassist
//: holder ClassPool\.classes|FormCompiler\.pool
//: set tuned
//: leak 13.7
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import javassist.ClassPool;
import javassist.CtClass;
import javassist.CtNewMethod;

public class ScoringForms {
    record Customer(String number, String name, double income, double debts, int[] history, String employer) {}

    record Decision(String customer, double score, String reason, long at) {}

    /** A loader for one class. */
    static final class FormLoader extends ClassLoader {
        FormLoader() {
            super(ScoringForms.class.getClassLoader());
        }

        Class<?> define(String name, byte[] code) {
            return defineClass(name, code, 0, code.length);
        }
    }

    static final class FormCompiler {
        private final ClassPool pool = new ClassPool(true);

        @SuppressWarnings("unchecked")
        ToDoubleFunction<double[]> compile(int form) throws Exception {
            String name = "forms.Form" + Integer.toHexString(form);
            CtClass made = pool.makeClass(name);
            made.addInterface(pool.get("java.util.function.ToDoubleFunction"));
            StringBuilder body = new StringBuilder("public double applyAsDouble(Object values) { double[] v = (double[]) values; double score = " + Corpus.RANDOM.nextInt(50) + ".0;");
            for (int rule = 0; rule < 5; rule++) {
                body.append(" if (v[").append(rule % 3).append("] > ").append(Corpus.RANDOM.nextInt(9_000)).append(".5) score += ").append(Corpus.RANDOM.nextInt(90)).append(".25;");
            }
            made.addMethod(CtNewMethod.make(body.append(" return score; }").toString(), made));
            made.addMethod(CtNewMethod.make("public String toString() { return \"" + Corpus.words(6) + "\"; }", made));
            return (ToDoubleFunction<double[]>) new FormLoader().define(name, made.toBytecode()).getDeclaredConstructor().newInstance();
        }
    }

    static final class Bank {
        private final FormCompiler compiler = new FormCompiler();
        private final List<Customer> customers = new ArrayList<>();
        private final ArrayDeque<Decision> decisions = new ArrayDeque<>();
        private Map<String, List<Double>> month = new HashMap<>();
        private ToDoubleFunction<double[]> standard;

        Bank() {
            for (int number = 0; number < 42_000; number++) {
                customers.add(new Customer(Corpus.id("customer", number), Corpus.words(2), Corpus.RANDOM.nextInt(20_000), Corpus.RANDOM.nextInt(90_000),
                        Corpus.RANDOM.ints(24, 0, 9).toArray(), Corpus.words(3)));
            }
            for (int number = 0; number < 20_000; number++) {
                decide(customers.get(number), Corpus.RANDOM.nextInt(100));
            }
        }

        private void decide(Customer customer, double score) {
            decisions.add(new Decision(customer.number(), score, Corpus.words(4), System.nanoTime()));
            if (decisions.size() > 20_000) {
                decisions.poll();
            }
        }

        void apply(int request) throws Exception {
            // Each branch edits its forms often.
            standard = compiler.compile(request);
            if (request % 1_000 == 0) {
                month = new HashMap<>();
            }
            for (int applicant = 0; applicant < 12; applicant++) {
                Customer customer = customers.get(Corpus.RANDOM.nextInt(customers.size()));
                double score = standard.applyAsDouble(new double[] {customer.income(), customer.debts(), customer.history()[0]});
                decide(customer, score);
                month.computeIfAbsent(customer.employer(), e -> new ArrayList<>()).add(score);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Bank bank = new Bank();
        Corpus.twice(arguments, 850, (from, to) -> {
            for (int request = from; request < to; request++) {
                bank.apply(request);
            }
        });
    }
}
