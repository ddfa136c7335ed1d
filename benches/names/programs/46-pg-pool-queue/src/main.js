'use strict';
const net = require('net');
const { connect } = require('./db');

// A server that accepts connections and never answers, as one does that is out of memory itself.
const server = net.createServer(() => {}).listen(0, '127.0.0.1', () => {
    const pool = connect(server.address().port);
    const save = (number) => {
        pool.query('INSERT INTO readings (sensor, text) VALUES ($1, $2)', [number, Array.from({ length: 12 }, (_, word) => `reading-${number}-${word}`).join(' ')]).catch(() => {});
    };
    for (let number = 0; number < 20; number++) save(number);
    process.emit('names:before');
    for (let number = 20; number < 9000; number++) save(number);
    setTimeout(() => process.emit('names:after'), 100);
});
