'use strict';
const { quoteFor } = require('./pricing');

function quotes(from, to) {
    let sum = 0;
    for (let number = from; number < to; number++) sum += quoteFor(`customer-${number}`, `article-${number % 900}`, 1 + (number % 50)).price;
    return sum;
}

quotes(0, 100);
process.emit('names:before');
quotes(100, 20000);
process.emit('names:after');
