'use strict';
// External strings: 20 of 3 MB of one byte each, 5 of 4 MB of two bytes each, and 50 small strings
// of 100 kB, which lie inside the heap.

const fs = require('fs');
const path = require('path');
const { index } = require('../search/DocumentIndex');

const ONE_BYTE = 20;
const TWO_BYTE = 5;
const SMALL = 50;

module.exports = {
    start(work) {
        const file = path.join(work, 'document.txt');
        for (let number = 0; number < ONE_BYTE; number++) {
            fs.writeFileSync(file, Buffer.alloc(3e6, `caf\u00e9 ${number} `, 'latin1'));
            index.read(`latin1-${number}`, file, 'latin1');
        }
        for (let number = 0; number < TWO_BYTE; number++) {
            fs.writeFileSync(file, Buffer.alloc(4e6, `\u6f22\u5b57 ${number} `, 'utf16le'));
            index.read(`utf16-${number}`, file, 'utf16le');
        }
        for (let number = 0; number < SMALL; number++) {
            fs.writeFileSync(file, Buffer.alloc(1e5, `small ${number} `, 'latin1'));
            index.read(`small-${number}`, file, 'latin1');
        }
    },
    fix: [['clear DocumentIndex.documents', () => index.documents.clear()]],
    truth: {
        kind: 'external-string',
        holder: 'DocumentIndex.documents',
        native_bytes: ONE_BYTE * 3e6 + TWO_BYTE * 4e6,
        touched_bytes: ONE_BYTE * 3e6 + TWO_BYTE * 4e6,
        strings: ONE_BYTE + TWO_BYTE,
        one_byte_strings: ONE_BYTE,
        two_byte_strings: TWO_BYTE,
        heap_bytes_of_small_strings: SMALL * 1e5,
    },
};
