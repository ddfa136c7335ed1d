import { html, render } from './lib/lit-html.js';

export class ToastStack {
    constructor(place) {
        this.place = place;
        // For an undo button that shows only the last one.
        this.dismissed = [];
    }

    show(title, lines) {
        const toast = document.createElement('article');
        render(html`<header><h3>${title}</h3><time>${new Date().toISOString()}</time></header><ol>${lines.map((line) => html`<li>${line}</li>`)}</ol>`, toast);
        this.place.append(toast);
        return toast;
    }

    dismiss(toast) {
        toast.remove();
        this.dismissed.push(toast);
    }
}
