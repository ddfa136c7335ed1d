import { ToastStack } from './toasts.mjs';

const stack = new ToastStack(document.querySelector('#toasts'));
let sent = 0;

function send(times) {
    for (let time = 0; time < times; time++) {
        const number = sent++;
        const toast = stack.show(`Order ${number} sent`, Array.from({ length: 8 }, (_, line) => `Article ${number * 8 + line}, ${line + 1} pieces`));
        stack.dismiss(toast);
    }
    document.title = 'idle';
}

document.querySelector('#browse').addEventListener('click', () => setTimeout(send, 0, 5));
document.querySelector('#grow').addEventListener('click', () => setTimeout(send, 0, 1500));
document.title = 'idle';
