import React from 'react';
import { createRoot } from 'react-dom/client';
import { flushSync } from 'react-dom';
import { Provider, useSelector } from 'react-redux';
import { received, store } from './store.js';
import { UndoHistory } from './undo-history.js';

const undo = new UndoHistory();
undo.watch(store);

function Messages() {
    const messages = useSelector((state) => state.chat.messages);
    return <ul>{messages.map(({ number, text }) => <li key={number}>{text}</li>)}</ul>;
}

const root = createRoot(document.querySelector('#app'));
flushSync(() => root.render(<Provider store={store}><Messages /></Provider>));

let number = 0;
function chat(times) {
    for (let time = 0; time < times; time++) {
        number++;
        store.dispatch(received({ number, from: `user-${number % 30}`, text: ['message', number, 'of the lobby'].join(' ') }));
    }
    document.title = 'idle';
}

document.querySelector('#browse').addEventListener('click', () => setTimeout(chat, 0, 3));
document.querySelector('#grow').addEventListener('click', () => setTimeout(chat, 0, 3000));
document.title = 'idle';
