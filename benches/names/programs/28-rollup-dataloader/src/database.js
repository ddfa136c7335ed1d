export class Product {
    constructor(code) {
        this.code = code;
        this.title = `Product ${code}`;
        this.texts = Array.from({ length: 8 }, (_, line) => `line ${line} of the description of ${code}`);
    }
}

export async function readProducts(codes) {
    return codes.map((code) => new Product(code));
}
