//! Trails of tenants for an audit. They are in a WeakMap by tenant, so that a tenant who leaves takes its trail along; but tenants do not leave, and the value
//! holds the key. Beside it: the tenants with their price lists, and jobs, which end.
//: libraries Node.js
//: holder \btrailByTenant\b
//: set tuned
//: leak 5.8
'use strict';
const { random, words, id, twice } = require('./corpus.js');

class Tenant {
    constructor(number) {
        this.name = id('tenant', number);
        this.address = words(5);
        this.prices = Array.from({ length: 90 }, (_, line) => ({ line, text: words(3), price: random(90000) / 100 + 0.001 }));
    }
}

class Audit {
    constructor() {
        this.trailByTenant = new WeakMap();
    }

    note(tenant, action) {
        let trail = this.trailByTenant.get(tenant);
        if (!trail) this.trailByTenant.set(tenant, trail = { tenant, entries: [] });
        trail.entries.push(action);
    }
}

class Office {
    constructor() {
        this.tenants = Array.from({ length: 220 }, (_, number) => new Tenant(number));
        this.audit = new Audit();
        this.jobs = new Map();
    }

    work(request) {
        const tenant = this.tenants[random(this.tenants.length)];
        this.jobs.set(request, { tenant, text: words(8), due: new Date(1.767e12 + request * 6e4) });
        this.jobs.delete(request - 500);
        this.audit.note(tenant, { user: words(2), action: `changed ${words(4)}`, at: 1.767e12 + request * 1000 + 0.5 });
    }
}

const office = new Office();
twice(9000, (from, to) => {
    for (let request = from; request < to; request++) office.work(request);
});
