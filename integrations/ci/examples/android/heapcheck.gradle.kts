// In the module's build.gradle.kts:
//
//   apply(from = "heapcheck.gradle.kts")
//   ./gradlew :app:heapCheck                          (-Pheaplens=PROGRAM, -Paccept to write the baseline)
//
// Gradle uninstalls the app after connectedDebugAndroidTest, and its files with it. So the test is run by adb.

val application = "com.example.shop"
val dumps = layout.buildDirectory.dir("heap").get().asFile

tasks.register("heapCheck") {
    dependsOn("installDebug", "installDebugAndroidTest")
    doLast {
        dumps.mkdirs()
        val runner = "$application.test/androidx.test.runner.AndroidJUnitRunner"
        fun run(vararg command: String) {
            val status = ProcessBuilder(*command).inheritIO().start().waitFor()
            if (status != 0) throw GradleException("${command.joinToString(" ")} ended with status $status")
        }
        run("adb", "shell", "am", "instrument", "-w", "-e", "class", "$application.HeapDumpTest", runner)
        run("adb", "pull", "/sdcard/Android/data/$application/files/screens.hprof", "$dumps/screens.hprof")
        val program = findProperty("heaplens") as String? ?: "heaplens"
        val reports = if (hasProperty("accept")) {
            arrayOf("--accept")
        } else {
            arrayOf("--junit", "$dumps/screens.junit.xml", "--sarif", "$dumps/screens.sarif")
        }
        run(program, "check", "$dumps/screens.hprof", "--baseline", "$projectDir/heap-baseline.json", *reports)
    }
}
