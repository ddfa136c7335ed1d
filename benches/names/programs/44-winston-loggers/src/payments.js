'use strict';
const winston = require('winston');

/** A logger with a category of its own for each payment, as the clients of some payment services do. */
function pay(number) {
    const log = winston.loggers.get(`payment-${number}`, { level: 'error', transports: [new winston.transports.Console()] });
    log.info('accepted');
}

for (let number = 0; number < 5; number++) pay(number);
process.emit('names:before');
for (let number = 5; number < 700; number++) pay(number);
process.emit('names:after');
