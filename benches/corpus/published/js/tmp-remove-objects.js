//! An upload service that makes a temporary file for each upload with tmp 0.0.27 and removes it with its callback: the callbacks
//! stay in `_removeObjects`, with what they close over. Large and legitimate: the customers.
//: package tmp@0.0.27
//: fixed tmp@0.0.29
//: issue raszi/node-tmp#48
//: libraries tmp
//: holder _removeObjects
//: set tuned
'use strict';
const fs = require('fs');
const tmp = require('tmp');
const { random, words, id, twice } = require('../../js/corpus.js');

class Customer {
    constructor(number) {
        this.code = id('customer', number);
        this.name = words(2);
        this.quota = random(100) * 1024 * 1024;
        this.folders = [words(1), words(1), words(2)];
    }
}

class Uploads {
    constructor(size) {
        this.customers = new Map();
        for (let number = 0; number < size; number++) {
            const customer = new Customer(number);
            this.customers.set(customer.code, customer);
        }
        this.bytes = 0;
    }

    store(code, content) {
        const customer = this.customers.get(code);
        return new Promise((resolve, reject) => {
            tmp.file({ prefix: 'upload-', postfix: '.txt' }, (error, path, descriptor, remove) => {
                if (error) return reject(error);
                fs.writeSync(descriptor, content);
                this.bytes += content.length;
                customer.quota -= content.length;
                remove();
                resolve(path);
            });
        });
    }
}

const uploads = new Uploads(9000);

twice(2200, async (from, to) => {
    for (let number = from; number < to; number++) await uploads.store(id('customer', random(9000)), words(20));
});
