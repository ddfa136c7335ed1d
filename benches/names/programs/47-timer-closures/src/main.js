'use strict';
const { WebSocketServer, WebSocket } = require('ws');
const { once } = require('events');
const { visits, Visit } = require('./context');
const { keepAlive } = require('./heartbeat');

let connected = 0;
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
server.on('connection', (socket, request) => {
    visits.run(new Visit(connected++, request.headers), () => keepAlive(socket));
});

async function visit(times) {
    for (let time = 0; time < times; time++) {
        const socket = new WebSocket(`ws://127.0.0.1:${server.address().port}/prices`);
        await once(socket, 'open');
        socket.close();
        await once(socket, 'close');
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
}

server.on('listening', async () => {
    await visit(10);
    process.emit('names:before');
    await visit(1500);
    process.emit('names:after');
});
