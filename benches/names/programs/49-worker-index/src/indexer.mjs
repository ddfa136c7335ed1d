import { parentPort } from 'node:worker_threads';
import { removeStopwords } from 'stopword';

class Posting {
    constructor(document, position) {
        this.document = document;
        this.position = position;
    }
}

// Word to its places; documents are added again with a new number when they change, and never removed.
const postings = new Map();

function add(document, text) {
    removeStopwords(text.split(' ')).forEach((word, position) => {
        let list = postings.get(word);
        if (!list) postings.set(word, list = []);
        list.push(new Posting(document, position));
    });
}

parentPort.on('message', ({ document, text, signal }) => {
    if (signal) process.emit(signal);
    else add(document, text);
});
