import fastify from 'fastify';
import { routes } from './routes';

async function shop(server: ReturnType<typeof fastify>, visitors: number): Promise<void> {
    for (let number = 0; number < visitors; number++) {
        for (const article of ['lamp', 'chair', 'desk']) {
            await server.inject({ method: 'POST', url: `/carts/visitor-${number}/lines`, payload: { article: `${article}-${number}`, pieces: 1 + (number % 5) } });
        }
    }
}

async function main(): Promise<void> {
    const server = fastify();
    routes(server);
    await shop(server, 20);
    process.emit('names:before' as never);
    await shop(server, 5000);
    process.emit('names:after' as never);
}

void main();
