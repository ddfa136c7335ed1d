// Writes a heap snapshot of V8 of about the size asked for: a shop with customers,
// orders and a catalogue, as programs of node hold them: records of few shapes, maps,
// arrays, closures, class instances, strings (flat, joined, cut), numbers, typed arrays.
//
//     node --max-old-space-size=16000 snapshot.js OUT.heapsnapshot [MEGABYTES of file, 20 unless said]
'use strict';
const v8 = require('v8');
const fs = require('fs');

const [out, megabytes = '20'] = process.argv.slice(2);
if (!out) throw new Error('usage: snapshot.js OUT.heapsnapshot [MEGABYTES]');

// V8 works out where lines of a script begin when it first needs them: for each function of a
// snapshot anew, unless an error was thrown in the script before.
try { throw new Error('lines'); } catch (error) { void error.stack; }

// The same heap each time.
let seed = 20261122;
function chance(n) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor(seed / 4294967296 * n);
}

const CITIES = ['Kraków', 'Lyon', 'Osaka', 'Recife', 'Turku', 'Zürich', 'Hà Nội', 'Łódź'];
const STATES = ['new', 'paid', 'packed', 'sent', 'back'];
let next = 0;

class Money {
  constructor(cents, currency) { this.cents = cents; this.currency = currency; }
}

class Customer {
  constructor(name) {
    this.id = ++next;
    this.name = name;
    this.email = `${name.toLowerCase().replace(' ', '.')}@example.org`;
    this.address = { street: `${chance(400)} Long Street`, city: CITIES[chance(CITIES.length)], zip: String(chance(90000)) };
    this.orders = [];
    this.tags = new Set();
    if (chance(3) === 0) this.tags.add('regular').add(STATES[chance(STATES.length)]);
  }
}

class Order {
  #notes = [];
  constructor(customer, shop) {
    this.id = ++next;
    this.customer = customer;
    this.state = STATES[chance(STATES.length)];
    this.placed = new Date(1.7e12 + chance(1e9));
    this.lines = Array.from({ length: 1 + chance(4) }, () => ({
      product: shop.catalogue.get(`sku-${chance(shop.catalogue.size)}`),
      count: 1 + chance(5),
      price: new Money(100 + chance(100000), 'EUR'),
    }));
    // A closure over the order, as listeners are.
    this.onSent = () => this.#notes.push(this.state);
    if (chance(8) === 0) this.weights = new Float64Array(4).fill(chance(100) + 0.5);
    if (chance(6) === 0) this.comment = 'left at the door of ' + customer.name + ', ring ' + this.id;
  }
}

class Shop {
  constructor(products) {
    this.catalogue = new Map();
    this.customers = new Map();
    this.byOrder = new Map();
    this.seen = new WeakMap();
    this.recent = [];
    for (let i = 0; i < products; i++) {
      const product = { sku: `sku-${i}`, title: `Product number ${i}`, price: new Money(chance(50000), 'EUR'), parts: [] };
      for (let part = 0; part < chance(3); part++) product.parts.push({ name: `part ${part} of ${i}`, weight: chance(900) / 7 });
      this.catalogue.set(product.sku, product);
    }
  }

  grow() {
    const customer = new Customer(`Customer ${next.toString(36)}`);
    this.customers.set(customer.id, customer);
    for (let i = chance(6); i > 0; i--) {
      const order = new Order(customer, this);
      customer.orders.push(order);
      this.byOrder.set(order.id, order);
      if (chance(20) === 0) this.seen.set(order, { by: customer.name });
      if (this.recent.push(order) > 500) this.recent.shift();
    }
  }
}

// Bytes of the file that a customer with orders makes: measured.
const BYTES = 4300;
const shop = new Shop(2000);
const customers = Math.max(1, Math.round((Number(megabytes) * 1e6 - 6e6) / BYTES));
for (let i = 0; i < customers; i++) shop.grow();
globalThis.shop = shop;

console.error(`${shop.customers.size} customers, ${shop.byOrder.size} orders`);
v8.writeHeapSnapshot(out);
console.error(`${out}: ${(fs.statSync(out).size / 1e6).toFixed(1)} MB`);
