//! A chain of restaurants makes a Spring context for each report, with the beans of the branch, and registers a hook to close it at the end of
//! the process. No context is closed before. Large and legitimate: the recipes and the suppliers, singletons of the shared context.
//: jars spring3-core.jar spring3-beans.jar spring3-context.jar spring3-aop.jar spring3-expression.jar jcl-over-slf4j.jar slf4j-api.jar slf4j-nop.jar
//: libraries Spring
//: holder ApplicationShutdownHooks\.hooks
//: set tuned
//: leak 19.6
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.context.support.GenericApplicationContext;

public class FranchiseReports {
    record Recipe(String number, String name, Map<String, Integer> grams, String steps) {}

    record Supplier(String name, String address, List<String> goods) {}

    public static final class Recipes {
        final Map<String, Recipe> byNumber = new HashMap<>();

        public Recipes() {
            for (int number = 0; number < 14_000; number++) {
                Map<String, Integer> grams = new HashMap<>();
                for (int part = 0; part < 5; part++) {
                    grams.put(Corpus.words(1), 10 * (1 + Corpus.RANDOM.nextInt(90)));
                }
                byNumber.put(Corpus.id("recipe", number), new Recipe(Corpus.id("recipe", number), Corpus.words(3), grams, Corpus.words(30)));
            }
        }
    }

    public static final class Suppliers {
        final List<Supplier> all = new ArrayList<>();

        public Suppliers() {
            for (int number = 0; number < 9_000; number++) {
                all.add(new Supplier(Corpus.words(2), Corpus.words(6), List.of(Corpus.words(1), Corpus.words(1), Corpus.words(1))));
            }
        }
    }

    public static final class Branch {
        private String number;
        private String manager;
        private final List<String> sold = new ArrayList<>();

        public void setNumber(String number) {
            this.number = number;
        }

        public void setManager(String manager) {
            this.manager = manager;
        }

        void sell(String line) {
            sold.add(line);
        }
    }

    public static final class SalesReport {
        private Branch branch;
        private Recipes recipes;

        public void setBranch(Branch branch) {
            this.branch = branch;
        }

        public void setRecipes(Recipes recipes) {
            this.recipes = recipes;
        }

        int write() {
            int grams = 0;
            for (int line = 0; line < 60; line++) {
                Recipe recipe = recipes.byNumber.get(Corpus.id("recipe", Corpus.RANDOM.nextInt(14_000)));
                branch.sell(recipe.name() + " x " + (1 + line % 9));
                grams += recipe.grams().values().stream().mapToInt(Integer::intValue).sum();
            }
            return grams;
        }
    }

    static int report(GenericApplicationContext shared, int number) {
        GenericApplicationContext context = new GenericApplicationContext(shared);
        context.registerBeanDefinition("branch", BeanDefinitionBuilder.genericBeanDefinition(Branch.class)
                .addPropertyValue("number", Corpus.id("branch", number % 300))
                .addPropertyValue("manager", Corpus.words(2)).getBeanDefinition());
        context.registerBeanDefinition("salesReport", BeanDefinitionBuilder.genericBeanDefinition(SalesReport.class)
                .addPropertyReference("branch", "branch")
                .addPropertyReference("recipes", "recipes").getBeanDefinition());
        context.registerShutdownHook();
        context.refresh();
        return context.getBean(SalesReport.class).write();
    }

    public static void main(String[] arguments) throws Exception {
        GenericApplicationContext shared = new GenericApplicationContext();
        shared.registerBeanDefinition("recipes", BeanDefinitionBuilder.genericBeanDefinition(Recipes.class).getBeanDefinition());
        shared.registerBeanDefinition("suppliers", BeanDefinitionBuilder.genericBeanDefinition(Suppliers.class).getBeanDefinition());
        shared.registerShutdownHook();
        shared.refresh();
        Corpus.twice(arguments, 160, (from, to) -> {
            for (int number = from; number < to; number++) {
                report(shared, number);
            }
        });
    }
}
