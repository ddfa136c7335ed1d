//! Scripts name their classes freely, and the host asks its class loaders for each name that it meets. The loaders of the JDK keep a lock for each
//! name ever asked for, found or not. Beside it, larger: the scripts, loaded at start.
//: issue jenkinsci/jenkins#10659
//: version JDK 17.0.15 (JENKINS-75675), a loader of plugins as in Jenkins
//: from debian openjdk-17-jdk-headless
//: jars
//: libraries JDK
//: holder parallelLockMap
//: set tuned
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

public class ScriptImports {
    record Script(String name, List<String> lines) {}

    /** A loader that may load several classes at once, as those of plugins do. */
    static final class PluginLoader extends URLClassLoader {
        static {
            ClassLoader.registerAsParallelCapable();
        }

        PluginLoader(ClassLoader parent) {
            super(new URL[0], parent);
        }
    }

    static final class Host {
        final List<Script> scripts = new ArrayList<>();
        final PluginLoader plugins = new PluginLoader(Host.class.getClassLoader());
        int missing;

        Host() {
            for (int number = 0; number < 20_000; number++) {
                List<String> lines = new ArrayList<>();
                for (int line = 0; line < 6; line++) {
                    lines.add(Corpus.words(5));
                }
                scripts.add(new Script(Corpus.id("script", number), lines));
            }
        }

        void resolve(int request) {
            for (String place : new String[] {"java.lang.", "java.util.", "scripts."}) {
                try {
                    Class.forName(place + Corpus.words(2).replace(' ', '_') + request, false, plugins);
                } catch (ClassNotFoundException notThere) {
                    missing++;
                }
            }
        }
    }

    static Host host;

    public static void main(String[] arguments) throws Exception {
        host = new Host();
        Corpus.twice(arguments, 9_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                host.resolve(request);
            }
        });
    }
}
