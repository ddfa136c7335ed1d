//! Healthy: a Spring context with many singletons: a handler for each kind of claim, with its rules. A prototype bean works on each claim and is
//! dropped; events go to listeners that were registered once.
//: jars spring3-core.jar spring3-beans.jar spring3-context.jar spring3-aop.jar spring3-expression.jar commons-logging-1*.jar
//: libraries Spring
//: own ClaimHandler|RuleBook\.rules
//: set tuned
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.support.GenericApplicationContext;

public class HealthySpring {
    public static class Rule {
        final String when = Corpus.words(7);
        final String then = Corpus.words(4);
        final int limit = Corpus.RANDOM.nextInt(10_000);
    }

    public static class RuleBook {
        final List<Rule> rules = new ArrayList<>();

        public RuleBook() {
            for (int number = 0; number < 40_000; number++) {
                rules.add(new Rule());
            }
        }
    }

    public static class ClaimSettled extends ApplicationEvent {
        final int paid;

        public ClaimSettled(Object handler, int paid) {
            super(handler);
            this.paid = paid;
        }
    }

    public static class ClaimHandler {
        final List<Rule> applied = new ArrayList<>();
        final String kind = Corpus.words(2);

        public void setRuleBook(RuleBook book) {
            for (int at = 0; at < 200; at++) {
                applied.add(book.rules.get(Corpus.RANDOM.nextInt(book.rules.size())));
            }
        }

        int settle(Claim claim) {
            int paid = 0;
            for (Rule rule : applied) {
                paid += Math.min(rule.limit, claim.damage) / 100;
            }
            return paid;
        }
    }

    public static class Claim {
        final String text = Corpus.words(20);
        final int damage = Corpus.RANDOM.nextInt(9_000);
    }

    public static class Ledger implements ApplicationListener<ClaimSettled> {
        long sum;
        int count;

        @Override
        public void onApplicationEvent(ClaimSettled event) {
            sum += event.paid;
            count++;
        }
    }

    public static void main(String[] arguments) throws Exception {
        GenericApplicationContext context = new GenericApplicationContext();
        context.registerBeanDefinition("ruleBook", BeanDefinitionBuilder.genericBeanDefinition(RuleBook.class).getBeanDefinition());
        context.registerBeanDefinition("ledger", BeanDefinitionBuilder.genericBeanDefinition(Ledger.class).getBeanDefinition());
        context.registerBeanDefinition("claim",
                BeanDefinitionBuilder.genericBeanDefinition(Claim.class).setScope("prototype").getBeanDefinition());
        for (int kind = 0; kind < 600; kind++) {
            context.registerBeanDefinition("handler" + kind, BeanDefinitionBuilder.genericBeanDefinition(ClaimHandler.class)
                    .addPropertyReference("ruleBook", "ruleBook").getBeanDefinition());
        }
        context.refresh();
        Corpus.twice(arguments, 5000, (from, to) -> {
            for (int request = from; request < to; request++) {
                ClaimHandler handler = context.getBean("handler" + Corpus.RANDOM.nextInt(600), ClaimHandler.class);
                Claim claim = context.getBean("claim", Claim.class);
                context.publishEvent(new ClaimSettled(handler, handler.settle(claim)));
            }
        });
    }
}
