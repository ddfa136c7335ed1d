'use strict';

// A program with sessions. SESSIONS_LEFT plants a leak: so many sessions are never closed.
const LEFT = Number(process.env.SESSIONS_LEFT ?? 0);

class Session {
  constructor(visitor) {
    this.visitor = visitor;
    this.basket = Array.from({ length: 20 }, (_, item) => ({ item, visitor }));
  }
}

const open = new Map();

function visit(visitor) {
  const name = `visitor-${visitor}`;
  open.set(name, new Session(name));
  if (visitor >= LEFT) open.delete(name);
}

module.exports = { visit };
