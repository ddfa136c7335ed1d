export interface Step { at: number; page: string }

export class Session {
    readonly steps: Step[] = [];
    constructor(readonly token: string, readonly agent: string) {}
}

export class SessionRegistry {
    // Sessions end only by logout, which most visitors never press.
    readonly #byToken = new Map<string, Session>();

    open(token: string, agent: string): Session {
        let session = this.#byToken.get(token);
        if (!session) this.#byToken.set(token, session = new Session(token, agent));
        return session;
    }

    logout(token: string): void {
        this.#byToken.delete(token);
    }
}
