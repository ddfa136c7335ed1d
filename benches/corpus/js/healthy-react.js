//! Healthy: lessons of a school with React in jsdom. Effects return their clean-up, refs are taken out again, and the list of
//! the page stays as long as it was. Large: the lessons with their index, and the document.
//: libraries React, jsdom
//: own \b(lessons|byTeacher|elements|listeners)\b|Timetable|HTMLLIElement
//: set tuned
'use strict';
const { JSDOM } = require('jsdom');
const { random, words, id, twice } = require('./corpus.js');

const page = new JSDOM('<!doctype html><nav id="list"></nav><main id="root"></main>', { url: 'https://school.example/' });
global.window = page.window;
global.document = page.window.document;
global.navigator = page.window.navigator;
const React = require('react');
const { createRoot } = require('react-dom/client');
const { flushSync } = require('react-dom');
const h = React.createElement;

class Lesson {
    constructor(number) {
        this.id = id('lesson', number);
        this.title = words(4);
        this.teacher = words(2);
        this.pupils = Array.from({ length: 8 }, () => words(2));
    }
}

class Timetable {
    constructor(size) {
        this.lessons = Array.from({ length: size }, (_, number) => new Lesson(number));
        this.byTeacher = new Map();
        for (const lesson of this.lessons) {
            if (!this.byTeacher.has(lesson.teacher)) this.byTeacher.set(lesson.teacher, []);
            this.byTeacher.get(lesson.teacher).push(lesson);
        }
        this.listeners = new Set();
        this.elements = new Map();
    }

    subscribe(listener) {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }

    element(lesson, element) {
        if (element) this.elements.set(lesson, element);
        else this.elements.delete(lesson);
    }

    change(lesson) {
        for (const listener of this.listeners) listener(lesson);
    }
}

const timetable = new Timetable(5000);

function LessonPage({ lesson }) {
    const [changes, setChanges] = React.useState(0);
    React.useEffect(() => timetable.subscribe((changed) => {
        if (changed === lesson) setChanges((count) => count + 1);
    }), [lesson]);
    React.useEffect(() => {
        const onKey = () => setChanges(0);
        window.addEventListener('keydown', onKey);
        return () => window.removeEventListener('keydown', onKey);
    }, []);
    return h('article', { ref: React.useCallback((element) => timetable.element(lesson.id, element), [lesson]) },
        h('h1', null, `${lesson.title} (${changes})`),
        h('ul', null, lesson.pupils.map((pupil, at) => h('li', { key: at }, pupil))),
        h('button', { onClick: () => setChanges(0) }, lesson.teacher));
}

const list = createRoot(document.getElementById('list'));
flushSync(() => list.render(h('ol', null, timetable.lessons.slice(0, 300).map((lesson) => h('li', { key: lesson.id }, lesson.title)))));
const root = createRoot(document.getElementById('root'));

/** Time for the scheduler of React, which works between events. */
const idle = () => new Promise((resolve) => setTimeout(resolve, 1));

twice(150, async (from, to) => {
    for (let number = from; number < to; number++) {
        const lesson = timetable.lessons[random(5000)];
        flushSync(() => root.render(h(LessonPage, { key: number, lesson })));
        flushSync(() => timetable.change(lesson));
        flushSync(() => root.render(null));
        await idle();
    }
});
