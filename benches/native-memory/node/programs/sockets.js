'use strict';
// Descriptors: 200 sockets to an upstream, which is the program itself, and 50 open files.

const fs = require('fs');
const net = require('net');
const path = require('path');
const { upstream } = require('../gateway/Upstream');

const SOCKETS = 200;
const FILES = 50;
const accepted = new Set();
const logs = new Map();

module.exports = {
    async start(work) {
        const server = net.createServer((socket) => accepted.add(socket));
        await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
        for (let number = 0; number < SOCKETS; number++) {
            await upstream.connect(server.address().port);
        }
        for (let number = 0; number < FILES; number++) {
            const file = path.join(work, `log-${number}`);
            logs.set(file, await fs.promises.open(file, 'w'));
        }
    },
    fix: [['close Upstream.leased', () => upstream.leased.splice(0).forEach(({ socket }) => socket.destroy())]],
    truth: { kind: 'descriptors', holder: 'Upstream.leased', native_bytes: 0, sockets: SOCKETS, accepted: SOCKETS, files: FILES },
};
