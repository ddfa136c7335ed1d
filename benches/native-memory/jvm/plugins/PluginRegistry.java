package plugins;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Registry of plug-ins. After a reload the old plug-in stays registered under its version. */
final class PluginRegistry {
    static final int PARTS = 12;
    static final Map<String, Plugin> plugins = new HashMap<>();

    static void deploy(String name, int version) throws ReflectiveOperationException {
        PluginLoader loader = new PluginLoader(name + "-" + version);
        List<Runnable> parts = new ArrayList<>();
        for (int part = 0; part < PARTS; part++) {
            Class<?> type = loader.loadClass("plugins.impl.Part" + part);
            parts.add((Runnable) type.getDeclaredConstructor().newInstance());
            parts.get(part).run();
        }
        plugins.put(loader.plugin, new Plugin(name, version, parts));
    }

    record Plugin(String name, int version, List<Runnable> parts) {}
}
