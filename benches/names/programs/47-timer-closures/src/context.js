'use strict';
const { AsyncLocalStorage } = require('async_hooks');

class Visit {
    constructor(number, headers) {
        this.number = number;
        this.headers = headers;
        this.trail = Array.from({ length: 20 }, (_, step) => `visit ${number} step ${step} of ${headers.host}`);
    }
}

module.exports = { visits: new AsyncLocalStorage(), Visit };
