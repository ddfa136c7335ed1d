export interface Line { article: string; pieces: number; remark: string }

export class Cart {
    readonly lines: Line[] = [];
    constructor(readonly token: string, readonly opened: number) {}
}

// Nothing removes the carts of visitors who do not come back.
const carts = new Map<string, Cart>();

export function cartOf(token: string): Cart {
    let cart = carts.get(token);
    if (!cart) {
        cart = new Cart(token, carts.size);
        carts.set(token, cart);
    }
    return cart;
}
