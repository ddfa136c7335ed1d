'use strict';
// Connections to an upstream that are never given back.

const net = require('net');

class Upstream {
    constructor() {
        this.leased = [];
    }

    connect(port) {
        return new Promise((resolve, reject) => {
            const socket = net.connect(port, '127.0.0.1', () => {
                this.leased.push({ socket, since: Date.now() });
                resolve();
            });
            socket.on('error', reject);
        });
    }
}

module.exports = { upstream: new Upstream() };
