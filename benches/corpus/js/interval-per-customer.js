//! Digests of a newspaper. A timer is started for each customer who subscribes, and is not cleared when the customer cancels:
//! its closure keeps the customer and the draft. Large and legitimate: the archive of articles with its index.
//: libraries Node.js
//: holder timerListMap|TimersList|_idleNext|_idlePrev|_onTimeout
//: set tuned
'use strict';
const { words, id, twice } = require('./corpus.js');

const HOUR = 60 * 60 * 1000;

class Article {
    constructor(number) {
        this.slug = `${words(3).replaceAll(' ', '-')}-${number}`;
        this.headline = words(7);
        this.section = ['world', 'city', 'science', 'sport'][number % 4];
        this.text = words(30);
    }
}

class Archive {
    constructor(size) {
        this.articles = Array.from({ length: size }, (_, number) => new Article(number));
        this.bySection = new Map();
        for (const article of this.articles) {
            if (!this.bySection.has(article.section)) this.bySection.set(article.section, []);
            this.bySection.get(article.section).push(article);
        }
    }

    latest(section, count) {
        return this.bySection.get(section).slice(-count);
    }
}

class Customer {
    constructor(number) {
        this.account = id('customer', number);
        this.mail = `${words(2).replace(' ', '.')}@post.example`;
        this.sections = ['city', 'science'];
        this.subscribed = true;
    }
}

class Draft {
    constructor(customer) {
        this.greeting = `Dear ${customer.mail.split('@')[0]},`;
        this.lines = [];
    }
}

class Digests {
    constructor(archive) {
        this.archive = archive;
        this.customers = new Map();
        this.sent = 0;
    }

    subscribe(customer) {
        this.customers.set(customer.account, customer);
        const draft = new Draft(customer);
        const collect = () => {
            for (const section of customer.sections) {
                for (const { headline, slug } of this.archive.latest(section, 4)) draft.lines.push(`${headline} /${slug}`);
            }
            if (customer.subscribed) this.sent++;
        };
        collect();
        setInterval(collect, HOUR);
    }

    cancel(account) {
        this.customers.get(account).subscribed = false;
        this.customers.delete(account);
    }
}

const digests = new Digests(new Archive(5000));

twice(250, (from, to) => {
    for (let number = from; number < to; number++) {
        digests.subscribe(new Customer(number));
        // A trial of some days: only the last twenty customers are there.
        if (number >= 20) digests.cancel(id('customer', number - 20));
    }
});
