// Every state since the page was opened, for an undo button.
export class UndoHistory {
    constructor() {
        this.snapshots = [];
    }

    watch(store) {
        store.subscribe(() => this.snapshots.push(new Snapshot(store.getState().chat)));
    }
}

export class Snapshot {
    constructor({ room, messages }) {
        this.takenAt = performance.now();
        this.room = room;
        this.messages = structuredClone(messages.slice(-40));
    }
}
