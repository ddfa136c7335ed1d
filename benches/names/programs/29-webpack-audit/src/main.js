const express = require('express');
const http = require('http');
const { Auditor } = require('./audit');

const app = express();
const auditor = new Auditor();
app.use(auditor.middleware());
app.get('/orders/:id', (request, response) => response.json({ id: request.params.id }));

const server = http.createServer(app);
const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });

function get(port, path, user) {
    return new Promise((resolve, reject) => {
        http.get({ port, path, agent, headers: { 'x-user': user } }, (response) => response.resume().on('end', resolve)).on('error', reject);
    });
}

async function visit(port, times) {
    for (let number = 0; number < times; number += 50) {
        await Promise.all(Array.from({ length: 50 }, (_, offset) => get(port, `/orders/${number + offset}?filter=${'open-'.repeat(40)}`, `user-${number % 700}`)));
    }
}

server.listen(0, async () => {
    const { port } = server.address();
    await visit(port, 100);
    process.emit('names:before');
    await visit(port, 15000);
    process.emit('names:after');
});
