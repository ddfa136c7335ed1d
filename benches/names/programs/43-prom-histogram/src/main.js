'use strict';
const { observe } = require('./metrics');

function requests(from, to) {
    for (let number = from; number < to; number++) observe('GET', `/customers/${number % 97}/orders/${number}/lines`, number % 50 ? '200' : '404', (number % 300) / 100);
}

requests(0, 20);
process.emit('names:before');
requests(20, 12000);
process.emit('names:after');
