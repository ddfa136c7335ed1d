'use strict';
const http = require('http');
const { Server } = require('socket.io');

const server = http.createServer();
const io = new Server(server);

/** A namespace for each game; the library has no way to remove one. */
function game(number) {
    const table = io.of(`/games/${number}`);
    table.use((socket, next) => next());
    table.on('connection', (socket) => socket.emit('seat', table.sockets.size));
    return table;
}

for (let number = 0; number < 10; number++) game(number);
process.emit('names:before');
for (let number = 10; number < 5000; number++) game(number);
process.emit('names:after');
