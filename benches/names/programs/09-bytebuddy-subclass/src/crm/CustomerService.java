package crm;

import java.util.HashMap;
import java.util.Map;
import names.Run;

/** Visits of customers: those that are over are never taken out. */
public class CustomerService {
    private final Map<String, Visit> visits = new HashMap<>();

    public void welcome(String customer) {
        visits.put(customer, new Visit(customer, Run.words(10), Run.numbers(40)));
    }

    public int count() {
        return visits.size();
    }
}
