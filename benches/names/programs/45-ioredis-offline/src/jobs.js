'use strict';
const Redis = require('ioredis');

// The server is down: commands wait without a limit, as maxRetriesPerRequest is off (queue libraries ask for that).
const redis = new Redis({ host: '127.0.0.1', port: 1, maxRetriesPerRequest: null, retryStrategy: () => 60000 });
redis.on('error', () => {});

function enqueue(number) {
    const job = { number, mail: `user-${number}@example.org`, subject: `Your order ${number}`, lines: Array.from({ length: 6 }, (_, line) => `article ${number * 6 + line}`) };
    redis.lpush('jobs:mail', JSON.stringify(job)).catch(() => {});
}

setTimeout(() => {
    for (let number = 0; number < 50; number++) enqueue(number);
    process.emit('names:before');
    for (let number = 50; number < 9000; number++) enqueue(number);
    setTimeout(() => process.emit('names:after'), 100);
}, 300);
