//! Search in mail. Each page of results records its searcher in Lucene's SearcherLifetimeManager; prune is never called.
//! Beside it: the index itself, in memory, and the text of the mails by number.
//: jars lucene-core-8*.jar
//: libraries Lucene
//: holder SearcherLifetimeManager\.searchers|MailIndex\.lifetimes
//: set tuned
//: leak 14.0
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherLifetimeManager;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;

public class MailSearch {
    record Mail(int number, String sender, String subject, String body) {}

    record Page(long token, int hits) {}

    static final class MailIndex {
        final IndexWriter writer;
        final SearcherManager manager;
        final SearcherLifetimeManager lifetimes = new SearcherLifetimeManager();

        MailIndex() throws Exception {
            IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
            config.setMergeScheduler(new SerialMergeScheduler());
            config.setRAMBufferSizeMB(4);
            writer = new IndexWriter(new ByteBuffersDirectory(), config);
            manager = new SearcherManager(writer, new SearcherFactory());
        }

        void add(Mail mail) throws Exception {
            Document document = new Document();
            document.add(new StringField("number", String.valueOf(mail.number()), Field.Store.YES));
            document.add(new StringField("sender", mail.sender(), Field.Store.NO));
            document.add(new TextField("subject", mail.subject(), Field.Store.NO));
            document.add(new TextField("body", mail.body(), Field.Store.YES));
            document.add(new NumericDocValuesField("size", mail.body().length()));
            writer.updateDocument(new Term("number", String.valueOf(mail.number())), document);
        }

        /** First page of a search. Its token finds the same searcher again when the user asks for the next page. */
        Page search(String word) throws Exception {
            manager.maybeRefreshBlocking();
            IndexSearcher searcher = manager.acquire();
            try {
                TopDocs found = searcher.search(new TermQuery(new Term("body", word)), 20);
                return new Page(lifetimes.record(searcher), found.scoreDocs.length);
            } finally {
                manager.release(searcher);
            }
        }
    }

    static final List<Mail> MAILS = new ArrayList<>();
    static MailIndex index;

    static Mail mail(int number) {
        return new Mail(number, Corpus.words(1) + "@example.org", Corpus.words(5), Corpus.words(60));
    }

    public static void main(String[] arguments) throws Exception {
        index = new MailIndex();
        for (int number = 0; number < 22_000; number++) {
            MAILS.add(mail(number));
            index.add(MAILS.get(number));
        }
        index.writer.forceMerge(1);
        index.writer.commit();
        Corpus.twice(arguments, 100, (from, to) -> {
            for (int request = from; request < to; request++) {
                for (int mail = 0; mail < 4; mail++) {
                    index.add(mail(Corpus.RANDOM.nextInt(22_000)));
                }
                index.search(Corpus.words(1));
            }
        });
    }
}
