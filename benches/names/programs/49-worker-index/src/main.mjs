import { Worker } from 'node:worker_threads';
import { once } from 'node:events';

const worker = new Worker(new URL('./indexer.mjs', import.meta.url));

function send(from, to) {
    for (let document = from; document < to; document++) {
        worker.postMessage({ document, text: Array.from({ length: 30 }, (_, word) => `the ${['lamp', 'chair', 'desk'][word % 3]}${(document * 17 + word * 31) % 4000}`).join(' ') });
    }
}

send(0, 50);
worker.postMessage({ signal: 'names:before' });
send(50, 6000);
worker.postMessage({ signal: 'names:after' });
await once(worker, 'exit');
