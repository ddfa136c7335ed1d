import express from 'express';
import http, { type RequestListener } from 'http';
import type { AddressInfo } from 'net';
import { SessionRegistry } from './session-registry';

const registry = new SessionRegistry();
const app = express();
app.get('/pages/:page', (request, response) => {
    const session = registry.open(String(request.headers['x-token']), String(request.headers['user-agent']));
    for (let step = 0; step < 12; step++) session.steps.push({ at: Date.now() + step / 7, page: [request.params.page, session.token, step].join('/') });
    response.sendStatus(204);
});

const server = http.createServer(app as RequestListener);
const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
const get = (port: number, path: string, token: string) => new Promise<void>((resolve, reject) => {
    http.get({ port, path, agent, headers: { 'x-token': token, 'user-agent': 'reader/1.0' } }, (response) => response.resume().on('end', resolve)).on('error', reject);
});

async function visit(port: number, from: number, to: number): Promise<void> {
    for (let number = from; number < to; number += 50) {
        await Promise.all(Array.from({ length: 50 }, (_, offset) => get(port, `/pages/p${number % 40}`, `token-${number + offset}`)));
    }
}

server.listen(0, async () => {
    const { port } = server.address() as AddressInfo;
    await visit(port, 0, 50);
    process.emit('names:before' as never);
    await visit(port, 50, 6050);
    process.emit('names:after' as never);
});
