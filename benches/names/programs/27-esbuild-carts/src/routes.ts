import type { FastifyInstance } from 'fastify';
import { cartOf } from './cart-store';

export function routes(server: FastifyInstance): void {
    server.post<{ Params: { token: string }; Body: { article: string; pieces: number } }>('/carts/:token/lines', async (request) => {
        const { article, pieces } = request.body;
        const cart = cartOf(request.params.token);
        cart.lines.push({ article, pieces, remark: Array.from({ length: 24 }, (_, word) => `${article}-${cart.opened * 31 + word}`).join(' ') });
        return { lines: cart.lines.length };
    });
}
