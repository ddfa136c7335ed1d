'use strict';
// ArrayBuffers in a Map: 40 of 2 MiB with three views each, 5 of them hardly touched; 2 shared of
// 4 MiB; 1 resizable of 3 MiB that reserves 64 MiB.

const { store } = require('../sensors/RecordingStore');

const MIB = 1 << 20;
const COUNT = 40;
const UNTOUCHED = 5;
const SHARED = 2;

module.exports = {
    start() {
        for (let index = 0; index < COUNT; index++) {
            const touched = index < COUNT - UNTOUCHED ? 2 * MIB : 4096;
            store.record(`device-${index}`, new ArrayBuffer(2 * MIB), touched);
        }
        for (let index = 0; index < SHARED; index++) {
            store.record(`shared-${index}`, new SharedArrayBuffer(4 * MIB), 4 * MIB);
        }
        const growing = new ArrayBuffer(3 * MIB, { maxByteLength: 64 * MIB });
        store.record('growing', growing, 3 * MIB);
    },
    fix: [['clear RecordingStore.recordings', () => store.recordings.clear()]],
    truth: {
        kind: 'array-buffer',
        holder: 'RecordingStore.recordings',
        native_bytes: (COUNT * 2 + SHARED * 4 + 3) * MIB,
        touched_bytes: ((COUNT - UNTOUCHED) * 2 + SHARED * 4 + 3) * MIB + UNTOUCHED * 4096,
        buffers: COUNT + SHARED + 1,
        shared_bytes: SHARED * 4 * MIB,
        resizable_bytes: 3 * MIB,
        reserved_bytes_of_resizable: 64 * MIB,
        // Node 20 leaves resizable buffers out of memoryUsage().arrayBuffers, shared ones out of
        // memoryUsage().external.
        in_array_buffers_of_node: (COUNT * 2 + SHARED * 4) * MIB,
    },
};
