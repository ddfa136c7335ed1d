package plugins;

import bench.Program;
import bench.Truth;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Metaspace: a plug-in that was deployed 150 times, each time with a class loader of its own. */
public final class Metaspace implements Program {
    private static final int LOADERS = 150;

    @Override
    public void start(Path work) throws Exception {
        for (int version = 0; version < LOADERS; version++) {
            PluginRegistry.deploy("reports", version);
        }
    }

    @Override
    public List<Step> fix() {
        return List.of(new Step("clear plugins.PluginRegistry.plugins", PluginRegistry.plugins::clear));
    }

    @Override
    public Map<String, Object> truth() {
        return new Truth("class-metadata", "plugins.PluginRegistry.plugins", null)
                .and("native_bytes_are", "in metaspace_loaders.txt, loaders plugins.PluginLoader")
                .and("loaders", LOADERS)
                .and("classes", LOADERS * PluginRegistry.PARTS);
    }
}
