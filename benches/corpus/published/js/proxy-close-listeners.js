//! A gateway that makes a proxy for each request with http-proxy-middleware 2: each proxy adds a listener for `close` to the server.
//! Large and legitimate: the table of routes, read at start.
//: package http-proxy-middleware@2.0.6
//: issue chimurai/http-proxy-middleware#909
//: libraries http-proxy-middleware
//: holder Server\._events
//: set tuned
'use strict';
const http = require('http');
const { once } = require('events');
const { createProxyMiddleware } = require('http-proxy-middleware');
const { random, words, id, twice } = require('../../js/corpus.js');

class Route {
    constructor(number, target) {
        this.path = `/${id('tenant', number)}`;
        this.target = target;
        this.name = words(3);
        this.rules = Array.from({ length: 3 }, () => ({ header: words(1), value: words(2) }));
    }
}

async function listen(handler) {
    const server = http.createServer(handler);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
}

function get(port, path) {
    return new Promise((resolve, reject) => {
        http.get({ host: '127.0.0.1', port, path, agent: false }, (response) => response.resume().on('end', resolve)).on('error', reject);
    });
}

(async () => {
    const backend = await listen((request, response) => response.end(words(20)));
    const target = `http://127.0.0.1:${backend.address().port}`;
    const routes = new Map();
    for (let number = 0; number < 9000; number++) {
        const route = new Route(number, target);
        routes.set(route.path, route);
    }
    const gateway = await listen((request, response) => {
        const route = routes.get(request.url);
        const proxy = createProxyMiddleware({ target: route.target, logLevel: 'silent', headers: { tenant: route.name } });
        proxy(request, response, () => response.end());
    });
    gateway.setMaxListeners(0);
    await twice(250, async (from, to) => {
        for (let number = from; number < to; number++) await get(gateway.address().port, `/${id('tenant', random(9000))}`);
    });
})();
