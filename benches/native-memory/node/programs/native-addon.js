'use strict';
// Native addon that leaks what it gets by malloc: 3,000 blocks of 8 KiB and 30 of 1 MiB. No object
// of the heap owns them, so this memory has to be reported as unexplained.

const SMALL = 3000;
const SMALL_BYTES = 8 << 10;
const LARGE = 30;
const LARGE_BYTES = 1 << 20;

let imaging;
let allocated;

module.exports = {
    start(work, addon) {
        imaging = require(addon);
        const before = imaging.allocated();
        for (let index = 0; index < SMALL; index++) {
            imaging.decode(SMALL_BYTES);
        }
        for (let index = 0; index < LARGE; index++) {
            imaging.decode(LARGE_BYTES);
        }
        allocated = imaging.allocated() - before;
    },
    fix: [['free blocks of the addon', () => imaging.release()]],
    get truth() {
        return {
            kind: 'malloc',
            holder: null,
            native_bytes: SMALL * SMALL_BYTES + LARGE * LARGE_BYTES,
            touched_bytes: SMALL * SMALL_BYTES + LARGE * LARGE_BYTES,
            unexplained: true,
            malloc_growth_by_c_library: allocated,
        };
    },
};
