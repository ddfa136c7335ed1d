package plugins;

import java.io.IOException;
import java.io.InputStream;

/** Loader of one plug-in. It loads classes of plug-ins itself instead of asking its parent. */
final class PluginLoader extends ClassLoader {
    final String plugin;

    PluginLoader(String plugin) {
        super("plugin-" + plugin, PluginLoader.class.getClassLoader());
        this.plugin = plugin;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("plugins.impl.")) {
            return super.loadClass(name, resolve);
        }
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : findClass(name);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        try (InputStream in = getParent().getResourceAsStream(file)) {
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException error) {
            throw new ClassNotFoundException(name, error);
        }
    }
}
