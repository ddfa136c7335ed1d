//! Examination sheets are graded on a pool of threads. Each grader has a thread local of its own for its scratch values, which refer to the grader: the entries in the
//! threads of the pool are never stale, and stay after the grader. Beside it: the students with their records, the questions, and the last grades, bounded.
//: jars
//: libraries JDK
//: holder Grader\.scratch|threadLocals|ThreadLocal\$ThreadLocalMap|ThreadLocalMap\.table
//: set aside
//: leak 19.5
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

public class ExamGrading {
    record Question(String text, List<String> answers, int right) {}

    record Student(String number, String name, String address, List<String> courses, byte[] grades) {}

    /** Grades one sheet. Parts of a sheet may be graded by several threads. */
    static final class Grader {
        private final String sheet;
        private final List<Question> questions;
        private final ThreadLocal<Scratch> scratch = ThreadLocal.withInitial(Scratch::new);

        final class Scratch {
            final double[] points = new double[questions.size()];
            final StringBuilder remarks = new StringBuilder(240);

            void grade(int number, int answer) {
                Question question = questions.get(number);
                points[number] = answer == question.right ? 1 + number % 3 / 2.0 : 0;
                if (points[number] == 0 && remarks.length() < 200) {
                    remarks.append(sheet).append(": ").append(question.answers.get(question.right)).append("; ");
                }
            }
        }

        Grader(String sheet, List<Question> questions) {
            this.sheet = sheet;
            this.questions = questions;
        }

        double grade(int[] answers) {
            Scratch own = scratch.get();
            double sum = 0;
            for (int number = 0; number < answers.length; number++) {
                own.grade(number, answers[number]);
                sum += own.points[number];
            }
            return sum;
        }
    }

    static final class Office {
        private final List<Question> questions = new ArrayList<>();
        private final Map<String, Student> students = new ConcurrentHashMap<>();
        private final Map<String, String> grades = new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
                return size() > 5_000;
            }
        };

        Office() {
            for (int number = 0; number < 4_000; number++) {
                questions.add(new Question(Corpus.words(14), List.of(Corpus.words(3), Corpus.words(3), Corpus.words(3)), number % 3));
            }
            for (int number = 0; number < 26_000; number++) {
                String id = Corpus.id("student", number);
                students.put(id, new Student(id, Corpus.words(2), Corpus.words(5), List.of(Corpus.words(2), Corpus.words(2)), new byte[60]));
            }
        }

        void sheet(int number) {
            int first = ThreadLocalRandom.current().nextInt(questions.size() - 50);
            Grader grader = new Grader(Corpus.id("sheet", number), questions.subList(first, first + 50));
            double sum = grader.grade(ThreadLocalRandom.current().ints(50, 0, 3).toArray());
            Student student = students.get(Corpus.id("student", ThreadLocalRandom.current().nextInt(26_000)));
            student.grades[number % 60] = (byte) sum;
            synchronized (grades) {
                grades.put(Corpus.id("sheet", number), student.name + " " + sum + " " + Corpus.words(10));
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Office office = new Office();
        ExecutorService examiners = Executors.newFixedThreadPool(16);
        Corpus.twice(arguments, 9_000, (from, to) -> {
            List<Future<?>> work = new ArrayList<>();
            for (int number = from; number < to; number++) {
                int sheet = number;
                work.add(examiners.submit(() -> office.sheet(sheet)));
            }
            for (Future<?> part : work) {
                part.get();
            }
        });
    }
}
