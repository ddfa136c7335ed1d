package crm;

import java.lang.reflect.Method;
import java.util.concurrent.Callable;
import net.bytebuddy.implementation.bind.annotation.Origin;
import net.bytebuddy.implementation.bind.annotation.RuntimeType;
import net.bytebuddy.implementation.bind.annotation.SuperCall;

/** Measures the calls of a service, as a library for metrics does. */
public final class Timing {
    static long nanoseconds;

    private Timing() {}

    @RuntimeType
    public static Object measure(@Origin Method method, @SuperCall Callable<?> call) throws Exception {
        long start = System.nanoTime();
        try {
            return call.call();
        } finally {
            nanoseconds += System.nanoTime() - start + method.getParameterCount();
        }
    }
}
