//! Actuaries work in notebooks of Python on a Java model, through the gateway of Py4J. Each answer becomes an object of the gateway that Python has to
//! detach, and these notebooks do not. Beside it: mortality tables, the policies, and simulations in a ring, written all the time.
//: jars py4j-0*.jar
//: libraries Py4J
//: holder Gateway\.bindings|NotebookServer\.gateway
//: set tuned
import java.util.ArrayList;
import java.util.List;
import py4j.Gateway;
import py4j.ReturnObject;

public class ActuaryNotebook {
    public record Cashflow(int year, double premium, double claims, String note) {}

    public record Projection(String policy, List<Cashflow> flows, String assumptions) {}

    record Policy(String number, String holder, int age, double sum, List<String> clauses) {}

    public static final class Model {
        private final List<Policy> policies = new ArrayList<>();
        private final double[][] mortality = new double[240][121];
        private final double[][] simulations = new double[160][];
        private int runs;

        Model() {
            for (double[] table : mortality) {
                for (int age = 0; age < table.length; age++) {
                    table[age] = 0.0004 * Math.exp(age * 0.07) * (0.8 + Corpus.RANDOM.nextDouble() / 2);
                }
            }
            for (int number = 0; number < 55_000; number++) {
                policies.add(new Policy(Corpus.id("policy", number), Corpus.words(2), Corpus.RANDOM.nextInt(90), Corpus.RANDOM.nextInt(1_000_000), List.of(Corpus.words(2), Corpus.words(3))));
            }
            for (int run = 0; run < simulations.length; run++) {
                simulate();
            }
        }

        private double[] simulate() {
            double[] paths = new double[6_000];
            double value = 1;
            for (int step = 0; step < paths.length; step++) {
                value *= 1 + Corpus.RANDOM.nextGaussian() / 100;
                paths[step] = value;
            }
            simulations[runs++ % simulations.length] = paths;
            return paths;
        }

        public Projection project(int number) {
            Policy policy = policies.get(number % policies.size());
            double[] paths = simulate();
            double[] table = mortality[number % mortality.length];
            List<Cashflow> flows = new ArrayList<>();
            for (int year = 0; year < 30; year++) {
                double claims = table[Math.min(120, policy.age() + year)] * policy.sum() * paths[year];
                flows.add(new Cashflow(2026 + year, policy.sum() / 40, claims, year % 10 == 0 ? Corpus.words(4) : ""));
            }
            return new Projection(policy.number(), flows, Corpus.words(10));
        }
    }

    static final Model MODEL = new Model();

    static final class NotebookServer {
        private final Gateway gateway;

        NotebookServer() {
            gateway = new Gateway(MODEL);
            gateway.startup();
        }

        /** What the connection does with a command of a notebook. */
        String command(int request) {
            List<Object> arguments = new ArrayList<>();
            arguments.add(request);
            ReturnObject answer = gateway.invoke("project", "t", arguments);
            return answer.getName();
        }
    }

    public static void main(String[] arguments) throws Exception {
        NotebookServer server = new NotebookServer();
        Corpus.twice(arguments, 1_500, (from, to) -> {
            for (int request = from; request < to; request++) {
                server.command(request);
            }
        });
    }
}
