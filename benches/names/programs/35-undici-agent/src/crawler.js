'use strict';
const http = require('http');
const { request } = require('undici');

// Each address of the loopback network is a host of its own; the pool of a host remains in the global dispatcher.
async function crawl(port, from, to) {
    let bytes = 0;
    for (let number = from; number < to; number++) {
        const { body } = await request(`http://127.0.${1 + (number >> 7)}.${1 + (number & 127)}:${port}/robots.txt`);
        bytes += (await body.text()).length;
    }
    return bytes;
}

const server = http.createServer((_, response) => response.end('User-agent: *'));
server.keepAliveTimeout = 50;
server.listen(0, '0.0.0.0', async () => {
    const { port } = server.address();
    await crawl(port, 0, 5);
    process.emit('names:before');
    await crawl(port, 5, 1500);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    process.emit('names:after');
});
