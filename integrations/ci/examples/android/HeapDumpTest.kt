package com.example.shop

import android.os.Debug
import androidx.test.core.app.ActivityScenario
import androidx.test.ext.junit.runners.AndroidJUnit4
import androidx.test.platform.app.InstrumentationRegistry
import org.junit.Test
import org.junit.runner.RunWith
import java.io.File

/** Opens and closes the screens that must not leak, and dumps the heap for `heaplens check` on the host. */
@RunWith(AndroidJUnit4::class)
class HeapDumpTest {
    @Test
    fun screensAreReleased() {
        repeat(5) { ActivityScenario.launch(MainActivity::class.java).close() }
        InstrumentationRegistry.getInstrumentation().waitForIdleSync()
        repeat(2) {
            Runtime.getRuntime().gc()
            System.runFinalization()
        }
        val folder = InstrumentationRegistry.getInstrumentation().targetContext.getExternalFilesDir(null)
        Debug.dumpHprofData(File(folder, "screens.hprof").path)
    }
}
