package bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** One program of the bench: it fills one kind of memory and can free it again. */
public interface Program {
    /** Fills the memory. `work` is an empty folder for files the program needs. */
    void start(Path work) throws Exception;

    /** Steps of the fix in order. Memory is measured after each of them. */
    List<Step> fix();

    /** Facts known from the source: holder, kind, bytes. */
    Map<String, Object> truth();

    /** One change of the program that frees memory. */
    record Step(String name, Action action) {}

    interface Action {
        void run() throws Exception;
    }
}
