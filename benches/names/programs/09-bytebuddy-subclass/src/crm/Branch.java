package crm;

import names.Run;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.implementation.MethodDelegation;
import net.bytebuddy.matcher.ElementMatchers;

public final class Branch {
    private final CustomerService customers;

    private Branch() throws Exception {
        customers = new ByteBuddy().subclass(CustomerService.class).method(ElementMatchers.isDeclaredBy(CustomerService.class))
                .intercept(MethodDelegation.to(Timing.class)).make().load(Branch.class.getClassLoader()).getLoaded().getConstructor().newInstance();
    }

    private void open(int from, int to) {
        for (int number = from; number < to; number++) {
            customers.welcome(Run.id("customer", number));
        }
    }

    public static void main(String[] arguments) throws Exception {
        Run.begin();
        Branch branch = new Branch();
        branch.open(0, 1_500);
        Run.before();
        branch.open(1_500, 15_000);
        Run.end();
        System.out.println(branch.customers.count());
    }
}
