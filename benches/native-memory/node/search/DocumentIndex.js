'use strict';
// Index of documents with their text. Node keeps strings of more than about 1 MB that it makes
// of bytes outside the heap: external strings.

const fs = require('fs');

class DocumentIndex {
    constructor() {
        this.documents = new Map();
    }

    read(title, file, encoding) {
        this.documents.set(title, { title, text: fs.readFileSync(file, encoding) });
    }
}

module.exports = { index: new DocumentIndex() };
