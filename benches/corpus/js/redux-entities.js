//! The client of a chat with Redux and Immer. The messages of all channels ever opened stay in the map of entities.
//! Large and legitimate: the directory of members and the table of emoji, both filled at start.
//: libraries Redux, Immer
//: holder \bmessagesById\b
//: set tuned
//: leak 4.7
'use strict';
const { legacy_createStore: createStore, combineReducers } = require('redux');
const { produce } = require('immer');
const { random, words, id, twice } = require('./corpus.js');

class Emoji {
    constructor(number) {
        this.code = `:${words(2).replace(' ', '_')}_${number}:`;
        this.keywords = words(5).split(' ');
        this.picture = `https://chat.example/emoji/${number.toString(36)}.webp`;
    }
}

class EmojiTable {
    constructor(size) {
        this.emoji = Array.from({ length: size }, (_, number) => new Emoji(number));
    }

    pick() {
        return this.emoji[random(this.emoji.length)].code;
    }
}

const members = (state = {}, action) => (action.type === 'members/loaded' ? action.members : state);

const chat = produce((draft, action) => {
    switch (action.type) {
    case 'channel/opened':
        draft.current = action.channel;
        draft.visible = [];
        break;
    case 'messages/received':
        for (const message of action.messages) {
            draft.messagesById[message.id] = message;
            draft.visible.push(message.id);
        }
        break;
    case 'message/starred': {
        const message = draft.messagesById[action.id];
        if (message) message.reactions.push(action.emoji);
        break;
    }
    }
}, { current: null, visible: [], messagesById: {} });

const emoji = new EmojiTable(6000);
const store = createStore(combineReducers({ members, chat }));
store.dispatch({
    type: 'members/loaded',
    members: Object.fromEntries(Array.from({ length: 12000 }, (_, number) => [
        id('member', number), { name: words(2), title: words(3), zone: `Europe/${words(1)}`, online: number % 3 === 0 },
    ])),
});

/** What the server sends for a channel. */
function history(channel) {
    return Array.from({ length: 30 }, (_, at) => ({
        id: `${channel}/${id('message', at)}`,
        channel,
        author: id('member', random(12000)),
        text: words(6 + random(10)),
        sentAt: 1764000000000 + random(86400000),
        reactions: [],
    }));
}

let drawn = 0;
store.subscribe(() => { drawn += store.getState().chat.visible.length; });

twice(120, (from, to) => {
    for (let number = from; number < to; number++) {
        const channel = id('channel', number);
        store.dispatch({ type: 'channel/opened', channel });
        const messages = history(channel);
        store.dispatch({ type: 'messages/received', messages });
        for (let at = 0; at < 3; at++) {
            store.dispatch({ type: 'message/starred', id: messages[random(30)].id, emoji: emoji.pick() });
        }
    }
});
