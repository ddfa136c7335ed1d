//! Healthy: a pool of connections to a database. Each connection keeps its last prepared statements up to a limit, and all limits are reached. The
//! customers were loaded at start.
//: libraries Node.js
//: own \b(connections|statements|customers|invoices)\b|Connection|Invoices|Statement
//: set tuned
'use strict';
const { random, words, id, twice } = require('./corpus.js');

class Statement {
    constructor(sql) {
        this.sql = sql;
        this.columns = Array.from({ length: 6 }, (_, at) => ({ name: `${words(1)}_${at}`, type: at % 2 ? 'text' : 'int8', oid: 20 + at }));
        this.uses = 0;
    }
}

class Connection {
    constructor(number) {
        this.number = number;
        this.buffer = Buffer.alloc(4096);
        this.statements = new Map();
    }

    prepare(sql) {
        let statement = this.statements.get(sql);
        if (!statement) {
            statement = new Statement(sql);
            this.statements.set(sql, statement);
            if (this.statements.size > 100) this.statements.delete(this.statements.keys().next().value);
        }
        statement.uses++;
        return statement;
    }
}

class Invoices {
    constructor() {
        this.customers = Array.from({ length: 28000 }, (_, number) => ({ code: id('customer', number), name: words(3), discount: random(30) / 100 + 0.001 }));
        this.connections = Array.from({ length: 24 }, (_, number) => new Connection(number));
    }
}

const invoices = new Invoices();
twice(20000, (from, to) => {
    for (let number = from; number < to; number++) {
        invoices.connections[number % 24].prepare(`SELECT * FROM invoices_${number % 5000} WHERE customer = $1 AND year = ${2000 + random(24)}`);
    }
});
