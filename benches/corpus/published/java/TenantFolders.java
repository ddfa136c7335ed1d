//! A shuffle server reads the folders of its tenants as their proxy users. Each request makes a new proxy user, so that Hadoop's cache of file systems has
//! a new entry for each. Beside it, larger: the partitions, filled at start.
//: issue apache/uniffle#772
//: version Hadoop 3.2.0, called as Uniffle 0.7 did
//: from pypi pyspark 3.1.1
//: jars *.jar
//: libraries Hadoop
//: options --add-opens=java.base/java.lang=ALL-UNNAMED
//: holder FileSystem\.CACHE|FileSystem\$Cache|CACHE\.map
//: set tuned
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;

public class TenantFolders {
    record Partition(String application, long[] blocks, String server) {}

    static final List<Partition> PARTITIONS = new ArrayList<>();

    public static void main(String[] arguments) throws Exception {
        Logger.getRootLogger().setLevel(Level.OFF);
        for (int number = 0; number < 60_000; number++) {
            PARTITIONS.add(new Partition(Corpus.id("application", number), Corpus.RANDOM.longs(24).toArray(), Corpus.words(2)));
        }
        Configuration configuration = new Configuration();
        UserGroupInformation server = UserGroupInformation.createRemoteUser("shuffle");
        Corpus.twice(arguments, 1_500, (from, to) -> {
            for (int request = from; request < to; request++) {
                UserGroupInformation tenant = UserGroupInformation.createProxyUser("tenant-" + request % 40, server);
                tenant.doAs((PrivilegedExceptionAction<Boolean>) () -> FileSystem.get(URI.create("file:///"), configuration).exists(new Path("/tmp")));
            }
        });
    }
}
