class Decision {
    constructor(user, path, allowed) {
        this.user = user;
        this.path = path;
        this.allowed = allowed;
        this.reasons = [`role of ${user}`, `rule for ${path} as of ${Date.now()}`];
    }
}

class Auditor {
    constructor() {
        // Every decision since the start; meant for a page that was never written.
        this.auditTrail = [];
    }

    middleware() {
        return (request, response, next) => {
            this.auditTrail.push(new Decision(request.headers['x-user'], request.url, true));
            next();
        };
    }
}

module.exports = { Auditor };
