//! A library's catalogue. Counts of facets are cached by index reader and dropped when the reader closes; old readers are never closed.
//! Beside it: the index in memory, and the records of the books.
//: jars lucene-core-8*.jar
//: libraries Lucene
//: holder FacetCache\.byReader
//: set tuned
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;

public class LibraryFacets {
    static final int SUBJECTS = 250;

    record Book(String isbn, String title, String subject, String summary) {}

    static final class FacetCounts {
        final Map<String, Integer> bySubject = new HashMap<>();

        FacetCounts(IndexReader reader) throws Exception {
            for (int subject = 0; subject < SUBJECTS; subject++) {
                String name = Corpus.id("subject", subject);
                bySubject.put(name, reader.docFreq(new Term("subject", name)));
            }
        }
    }

    static final class FacetCache {
        private final Map<IndexReader.CacheKey, FacetCounts> byReader = new ConcurrentHashMap<>();

        FacetCounts of(DirectoryReader reader) throws Exception {
            IndexReader.CacheHelper helper = reader.getReaderCacheHelper();
            FacetCounts known = byReader.get(helper.getKey());
            if (known == null) {
                known = new FacetCounts(reader);
                byReader.put(helper.getKey(), known);
                helper.addClosedListener(byReader::remove);
            }
            return known;
        }
    }

    static final class Catalogue {
        final List<Book> books = new ArrayList<>();
        final FacetCache facets = new FacetCache();
        final IndexWriter writer;
        DirectoryReader reader;

        Catalogue() throws Exception {
            IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
            config.setMergeScheduler(new SerialMergeScheduler());
            writer = new IndexWriter(new ByteBuffersDirectory(), config);
            for (int number = 0; number < 17_000; number++) {
                add(number);
            }
            writer.forceMerge(1);
            writer.commit();
            reader = DirectoryReader.open(writer);
        }

        void add(int number) throws Exception {
            Book book = new Book(Corpus.id("978-3", number), Corpus.words(4),
                    Corpus.id("subject", Corpus.RANDOM.nextInt(SUBJECTS)), Corpus.words(50));
            Document document = new Document();
            document.add(new StringField("isbn", book.isbn(), Field.Store.YES));
            document.add(new StringField("subject", book.subject(), Field.Store.NO));
            document.add(new TextField("title", book.title(), Field.Store.YES));
            document.add(new TextField("summary", book.summary(), Field.Store.NO));
            writer.updateDocument(new Term("isbn", book.isbn()), document);
            if (number < books.size()) {
                books.set(number, book);
            } else {
                books.add(book);
            }
        }

        /** Takes the newest reader. The old one should be closed here. */
        void refresh() throws Exception {
            DirectoryReader newer = DirectoryReader.openIfChanged(reader);
            if (newer != null) {
                reader = newer;
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Catalogue catalogue = new Catalogue();
        Corpus.twice(arguments, 20, (from, to) -> {
            for (int delivery = from; delivery < to; delivery++) {
                catalogue.add(Corpus.RANDOM.nextInt(17_000));
                catalogue.refresh();
                catalogue.facets.of(catalogue.reader);
            }
        });
    }
}
