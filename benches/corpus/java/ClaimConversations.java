//! A Spring scope for conversations forgets the beans of a conversation at its end, but not their destruction callbacks, which
//! hold the beans. The policies are large and legitimate.
//: jars spring3-core.jar spring3-beans.jar spring3-context.jar spring3-aop.jar spring3-expression.jar jcl-over-slf4j.jar slf4j-api.jar slf4j-nop.jar
//: libraries Spring
//: holder ConversationScope\.callbacks
//: set tuned
//: leak 15.2
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.config.Scope;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.support.GenericApplicationContext;

/** An insurance company: a claim is filled in over some pages, in one conversation. */
public class ClaimConversations {
    record Policy(String number, String holder, String address, int[] premiums) {}

    static final Map<String, Policy> POLICIES = new HashMap<>();

    /** The form of a claim, a bean of the conversation. */
    public static final class ClaimForm {
        private Policy policy;
        private final Map<String, String> fields = new HashMap<>();
        private final List<String> notes = new ArrayList<>();

        public void discard() {
            fields.clear();
        }

        void fill(Policy policy) {
            this.policy = policy;
            for (String field : new String[] {"place", "cause", "damage", "witness", "phone", "account"}) {
                fields.put(field, Corpus.words(4));
            }
            for (int note = 0; note < 5; note++) {
                notes.add(Corpus.words(15));
            }
        }
    }

    static final class ConversationScope implements Scope {
        private final Map<String, Map<String, Object>> beans = new ConcurrentHashMap<>();
        private final Map<String, Runnable> callbacks = new ConcurrentHashMap<>();
        private final ThreadLocal<String> current = new ThreadLocal<>();

        void begin(String conversation) {
            current.set(conversation);
            beans.put(conversation, new HashMap<>());
        }

        void end() {
            beans.remove(current.get());
        }

        @Override
        public Object get(String name, ObjectFactory<?> factory) {
            return beans.get(current.get()).computeIfAbsent(name, bean -> factory.getObject());
        }

        @Override
        public Object remove(String name) {
            callbacks.remove(current.get() + "/" + name);
            return beans.get(current.get()).remove(name);
        }

        @Override
        public void registerDestructionCallback(String name, Runnable callback) {
            callbacks.put(current.get() + "/" + name, callback);
        }

        @Override
        public Object resolveContextualObject(String key) {
            return null;
        }

        @Override
        public String getConversationId() {
            return current.get();
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (int number = 0; number < 60_000; number++) {
            String id = Corpus.id("policy", number);
            POLICIES.put(id, new Policy(id, Corpus.words(2), Corpus.words(5), Corpus.RANDOM.ints(12, 10, 300).toArray()));
        }
        GenericApplicationContext context = new GenericApplicationContext();
        ConversationScope scope = new ConversationScope();
        context.getBeanFactory().registerScope("conversation", scope);
        RootBeanDefinition form = new RootBeanDefinition(ClaimForm.class);
        form.setScope("conversation");
        form.setDestroyMethodName("discard");
        context.registerBeanDefinition("claimForm", form);
        context.refresh();
        Corpus.twice(arguments, 3_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                scope.begin(Corpus.id("conversation", number));
                context.getBean("claimForm", ClaimForm.class).fill(POLICIES.get(Corpus.id("policy", Corpus.RANDOM.nextInt(60_000))));
                scope.end();
            }
        });
    }
}
