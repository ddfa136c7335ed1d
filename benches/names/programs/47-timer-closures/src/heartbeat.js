'use strict';
const { visits } = require('./context');

function keepAlive(socket) {
    const visit = visits.getStore();
    // Cleared nowhere: the timer outlives the socket and keeps the visit.
    setInterval(function beat() {
        if (socket.readyState === socket.OPEN) socket.ping(String(visit.number));
    }, 30000);
}

module.exports = { keepAlive };
