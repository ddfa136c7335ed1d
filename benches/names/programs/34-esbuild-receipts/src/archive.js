import { z } from 'zod';

const Receipt = z.object({ order: z.string(), issued: z.number(), lines: z.array(z.object({ article: z.string(), cents: z.number() })) });

export class ReceiptArchive {
    constructor() {
        // Kept for reprints of the last minutes, and never emptied.
        this.receiptsByOrder = new Map();
    }

    issue(input) {
        const receipt = Receipt.parse(input);
        this.receiptsByOrder.set(receipt.order, receipt);
        return receipt.lines.reduce((sum, { cents }) => sum + cents, 0);
    }
}
