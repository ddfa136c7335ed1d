package quotes;

import java.lang.reflect.Method;
import names.Run;
import net.sf.cglib.proxy.Enhancer;
import net.sf.cglib.proxy.MethodInterceptor;
import net.sf.cglib.proxy.MethodProxy;
import org.springframework.context.support.GenericApplicationContext;

/**
 * A bank with Spring: the bean is a proxy of CGLIB that counts the calls of its target. The proxy is made here, since the copy of CGLIB in
 * Debian's package of Spring does not fit its copy of ASM.
 */
public final class Bank {
    private static double ask(QuoteService service, int from, int to) {
        double sum = 0;
        for (int number = from; number < to; number++) {
            sum += service.ask(Run.id("customer", number));
        }
        return sum;
    }

    public static void main(String[] arguments) throws Exception {
        Run.begin();
        GenericApplicationContext context = new GenericApplicationContext();
        context.getBeanFactory().registerSingleton("quoteService", Enhancer.create(QuoteService.class, new Counting(new QuoteService())));
        context.refresh();
        QuoteService service = context.getBean("quoteService", QuoteService.class);
        double sum = ask(service, 0, 1_500);
        Run.before();
        sum += ask(service, 1_500, 15_000);
        Run.end();
        System.out.println(sum);
        context.close();
    }

    private static final class Counting implements MethodInterceptor {
        private final Object target;
        private int calls;

        Counting(Object target) {
            this.target = target;
        }

        @Override
        public Object intercept(Object proxy, Method method, Object[] arguments, MethodProxy call) throws Throwable {
            calls++;
            return call.invoke(target, arguments);
        }
    }
}
