//! A server for card games on socket.io. Players sit down at tables; the table keeps the socket of a player who has left.
//! Large and legitimate: the dictionary of hands and their values, filled at start.
//: libraries socket.io, ws
//: holder \btablesByCode\b
//: set tuned
'use strict';
const http = require('http');
const { once } = require('events');
const { Server } = require('socket.io');
const { WebSocket } = require('ws');
const { random, words, id, twice } = require('./corpus.js');

class Hand {
    constructor(number) {
        this.cards = Array.from({ length: 5 }, (_, at) => (number * 7 + at * 11) % 52);
        this.value = random(7462);
        this.label = words(3);
    }
}

class Table {
    constructor(code) {
        this.code = code;
        this.title = words(3);
        this.seats = new Set();
        this.pot = 0;
    }

    bet(chips) {
        this.pot += chips;
    }
}

class Casino {
    constructor(hands) {
        this.hands = new Map(Array.from({ length: hands }, (_, number) => [id('hand', number), new Hand(number)]));
        this.tablesByCode = new Map();
    }

    sit(code, socket) {
        if (!this.tablesByCode.has(code)) this.tablesByCode.set(code, new Table(code));
        const table = this.tablesByCode.get(code);
        table.seats.add(socket);
        return table;
    }
}

const casino = new Casino(25000);
const server = http.createServer();
const io = new Server(server, { transports: ['websocket'] });

io.on('connection', (socket) => {
    let table;
    socket.on('sit', (code, player) => {
        socket.data.player = player;
        table = casino.sit(code, socket);
        socket.join(code);
        socket.emit('seated', table.title);
    });
    socket.on('bet', (chips, done) => {
        table.bet(chips);
        done(casino.hands.get(id('hand', random(25000))).label);
    });
    socket.on('disconnect', () => io.to(table.code).emit('left', socket.data.player.name));
});

/** A player of a game: the packets of socket.io over a plain WebSocket. */
function play(port, number) {
    return new Promise((resolve, reject) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`);
        const player = { name: words(2), chips: 500 + random(500), avatar: `https://pictures.example/${number}.png` };
        socket.on('error', reject);
        socket.on('close', resolve);
        socket.on('message', (data) => {
            const packet = String(data);
            if (packet.startsWith('0')) socket.send('40');
            else if (packet.startsWith('40')) socket.send(`42${JSON.stringify(['sit', id('table', number % 60), player])}`);
            else if (packet.startsWith('42["seated"')) socket.send(`421${JSON.stringify(['bet', random(50)])}`);
            else if (packet.startsWith('431')) socket.close();
        });
    });
}

(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address();
    await twice(110, async (from, to) => {
        for (let number = from; number < to; number++) await play(port, number);
        await new Promise((resolve) => setTimeout(resolve, 200));
    });
})();
