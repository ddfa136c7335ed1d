//! A service for many tenants that makes a connection for each request with Mongoose 5 and closes it: `Mongoose.connections` keeps the closed
//! connections, with their models. Large and legitimate: the tenants, read at start.
//: package mongoose@5.13.14
//: issue Automattic/mongoose#2337
//: libraries Mongoose
//: holder Mongoose\.connections
//: set tuned
'use strict';
const mongoose = require('mongoose');
const { random, words, id, twice } = require('../../js/corpus.js');

class Tenant {
    constructor(number) {
        this.code = id('tenant', number);
        this.name = words(3);
        this.plan = { name: words(1), seats: random(300), price: random(100000) / 100 };
        this.contacts = Array.from({ length: 3 }, () => ({ name: words(2), mail: `${words(1)}@example.org` }));
    }
}

const orders = new mongoose.Schema({ number: String, customer: String, lines: [{ article: String, pieces: Number }] });

class Service {
    constructor(size) {
        this.tenants = Array.from({ length: size }, (_, number) => new Tenant(number));
        this.checked = 0;
    }

    async check(tenant, number) {
        const connection = mongoose.createConnection();
        const Order = connection.model('Order', orders);
        const order = new Order({ number: id('order', number), customer: words(2), lines: [{ article: words(2), pieces: random(9) }] });
        if (!order.validateSync()) this.checked++;
        await connection.close();
    }
}

const service = new Service(9000);

twice(160, async (from, to) => {
    for (let number = from; number < to; number++) await service.check(service.tenants[random(9000)], number);
});
