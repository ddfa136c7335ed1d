'use strict';
const pMap = require('p-map');
const { replaceThing } = require('./replace-thing');

(async () => {
    const numbers = (from, to) => Array.from({ length: to - from }, (_, offset) => from + offset);
    await pMap(numbers(0, 10), async (number) => replaceThing(number), { concurrency: 1 });
    process.emit('names:before');
    await pMap(numbers(10, 6000), async (number) => replaceThing(number), { concurrency: 1 });
    process.emit('names:after');
})();
