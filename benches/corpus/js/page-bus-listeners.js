//! The page of a help desk in Chromium. The panel of each opened ticket listens to an EventTarget that all parts of the page share, and does not
//! stop at its end: its closure keeps the ticket and the detached panel. Large and legitimate: the articles, and the index of their words.
//: libraries Chromium
//: holder \bpresenceBus\b
//: set tuned
'use strict';
const { twice } = require('./page.js');

const body = `
    <title>Help desk</title>
    <header><h1>Help desk</h1><output id="online"></output></header>
    <ul id="agents"></ul>
    <main id="ticket"></main>`;

function application({ random, words, id }) {
    class Article {
        constructor(number) {
            this.id = id('article', number);
            this.title = words(5);
            this.paragraphs = Array.from({ length: 3 }, () => words(18));
            this.votes = { helpful: random(400), other: random(90) };
        }
    }

    class KnowledgeBase {
        constructor(size) {
            this.articles = new Map(Array.from({ length: size }, (_, number) => [id('article', number), new Article(number)]));
            this.articlesByWord = new Map();
            for (const article of this.articles.values()) {
                for (const word of article.title.split(' ')) {
                    if (!this.articlesByWord.has(word)) this.articlesByWord.set(word, new Set());
                    this.articlesByWord.get(word).add(article);
                }
            }
        }

        suggest(subject) {
            return [...this.articlesByWord.get(subject.split(' ')[0]) ?? []].slice(0, 3);
        }
    }

    /** A ticket as the server sends it. */
    function load(number) {
        return {
            number: id('ticket', number),
            subject: words(4),
            agent: id('agent', random(300)),
            messages: Array.from({ length: 12 }, (_, at) => ({
                from: at % 2 ? 'agent' : 'customer',
                text: words(14 + random(10)),
                at: 1764000000000 + random(86400000),
            })),
        };
    }

    class HelpDesk {
        constructor() {
            this.knowledge = new KnowledgeBase(12000);
            this.presenceBus = new EventTarget();
            this.online = new Set();
            this.presenceBus.addEventListener('presence', ({ detail }) => {
                if (detail.online) this.online.add(detail.agent);
                else this.online.delete(detail.agent);
                document.getElementById('online').value = `${this.online.size} online`;
            });
        }

        /** Returns the function that closes the panel. */
        open(ticket) {
            const panel = document.createElement('article');
            const badge = document.createElement('span');
            const heading = document.createElement('h2');
            heading.append(ticket.subject, badge);
            panel.append(heading);
            for (const message of ticket.messages) {
                const line = document.createElement('p');
                line.className = message.from;
                line.textContent = message.text;
                panel.append(line);
            }
            for (const { title } of this.knowledge.suggest(ticket.subject)) {
                const link = document.createElement('a');
                link.href = '#/article';
                link.textContent = title;
                panel.append(link);
            }
            this.presenceBus.addEventListener('presence', ({ detail }) => {
                if (detail.agent === ticket.agent) badge.textContent = detail.online ? 'online' : 'away';
            });
            document.getElementById('ticket').append(panel);
            return () => panel.remove();
        }
    }

    const desk = new HelpDesk();
    for (let number = 0; number < 300; number++) {
        const agent = document.createElement('li');
        agent.textContent = words(2);
        agent.addEventListener('click', () => agent.classList.toggle('chosen'));
        document.getElementById('agents').append(agent);
    }

    return async (from, to) => {
        for (let number = from; number < to; number++) {
            const close = desk.open(load(number));
            const detail = { agent: id('agent', random(300)), online: number % 3 !== 0 };
            desk.presenceBus.dispatchEvent(new CustomEvent('presence', { detail }));
            if (number % 10 === 0) await new Promise((drawn) => requestAnimationFrame(drawn));
            close();
        }
    };
}

twice(450, body, application);
