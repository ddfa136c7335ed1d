'use strict';
// Recordings of sensors by device. Samples lie in ArrayBuffers, outside the heap.

class Recording {
    constructor(device, samples) {
        this.device = device;
        this.samples = samples;
        this.channels = [new Float64Array(samples, 0, 1024), new Float64Array(samples, 8192)];
        this.header = new DataView(samples, 0, 64);
    }
}

class RecordingStore {
    constructor() {
        this.recordings = new Map();
    }

    record(device, samples, touched) {
        new Uint8Array(samples).fill(1, 0, touched);
        this.recordings.set(device, new Recording(device, samples));
    }
}

module.exports = { store: new RecordingStore() };
