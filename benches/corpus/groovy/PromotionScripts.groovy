//! A shop whose merchants write the conditions of promotions in Groovy. One shared GroovyShell parses the condition for each basket: its
//! class loader keeps the class of each script. Beside it, larger: the catalogue, and the customers with their orders.
//: jars groovy-all.jar
//: libraries Groovy
//: holder PromotionEngine\.shell|GroovyClassLoader\.classCache
//: set tuned
//: options -XX:SoftRefLRUPolicyMSPerMB=0

class PromotionScripts {
    static final int PRODUCTS = 40_000
    static final int CUSTOMERS = 25_000

    static void main(String[] arguments) {
        def shop = new PromotionShop(PRODUCTS, CUSTOMERS)
        Corpus.twice(arguments, 400) { int from, int to ->
            (from..<to).each { shop.checkout(Corpus.id('basket', it)) }
            // Groovy refers softly to its metaclasses: as in a full heap, those of unused scripts are cleared at the next collection.
            System.gc()
        }
    }
}

class Product {
    String sku
    String title
    String category
    BigDecimal price
}

class Customer {
    String number
    String name
    String address
    List<String> orders
}

class Basket {
    String number
    Customer customer
    List<Product> products

    BigDecimal getTotal() {
        products.sum { it.price }
    }
}

class Promotion {
    String name
    String condition
    int percent
}

class PromotionEngine {
    private final GroovyShell shell = new GroovyShell()

    boolean applies(Promotion promotion, Basket basket) {
        // One parsed script for each promotion would do.
        def script = shell.parse(promotion.condition)
        script.binding = new Binding(basket: basket, customer: basket.customer)
        script.run()
    }
}

class PromotionShop {
    private final Map<String, Product> catalogue = [:]
    private final Map<String, Customer> customers = [:]
    private final PromotionEngine engine = new PromotionEngine()
    private final List<Promotion> promotions = [
        new Promotion(name: 'Summer', percent: 10, condition: 'basket.total > 150 && basket.products.size() >= 2'),
        new Promotion(name: 'Lanterns', percent: 15, condition: 'basket.products.any { it.category == "lantern" }'),
        new Promotion(name: 'Regulars', percent: 5, condition: '''
            def bought = customer.orders.size()
            bought > 3 ? basket.total > 20 : basket.total > 400
        '''),
    ]

    PromotionShop(int products, int buyers) {
        products.times {
            def sku = Corpus.id('sku', it)
            catalogue[sku] = new Product(sku: sku, title: Corpus.words(4), category: Corpus.words(1),
                price: (5 + Corpus.RANDOM.nextInt(200)) as BigDecimal)
        }
        buyers.times { number ->
            def orders = (0..<(1 + Corpus.RANDOM.nextInt(6))).collect { Corpus.id('order', number * 10 + it) }
            def id = Corpus.id('customer', number)
            customers[id] = new Customer(number: id, name: Corpus.words(2), address: Corpus.words(5), orders: orders)
        }
    }

    BigDecimal checkout(String number) {
        def customer = customers[Corpus.id('customer', Corpus.RANDOM.nextInt(customers.size()))]
        def products = (0..<4).collect { catalogue[Corpus.id('sku', Corpus.RANDOM.nextInt(catalogue.size()))] }
        def basket = new Basket(number: number, customer: customer, products: products)
        def percent = promotions.findAll { engine.applies(it, basket) }.collect { it.percent }.max() ?: 0
        basket.total * (100 - percent) / 100
    }
}
