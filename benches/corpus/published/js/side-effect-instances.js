//! Pages that React 0.14 renders on the server, with a title by react-side-effect 1.0.0: `rewind` leaves the rendered components in
//! the variable `mountedInstances`. Large and legitimate: the recipes.
//: package react-side-effect@1.0.0 react@0.14.9 react-dom@0.14.9
//: fixed react-side-effect@1.0.2 react@0.14.9 react-dom@0.14.9
//: issue gaearon/react-side-effect#9
//: libraries react-side-effect, React
//: holder mountedInstances
//: set tuned
'use strict';
const React = require('react');
const { renderToString } = require('react-dom/server');
const withSideEffect = require('react-side-effect');
const { random, words, id, twice } = require('../../js/corpus.js');

class Title extends React.Component {
    render() {
        return React.Children.only(this.props.children);
    }
}
const PageTitle = withSideEffect((list) => list[list.length - 1].title, () => {})(Title);

class Recipe {
    constructor(number) {
        this.code = id('recipe', number);
        this.title = words(4);
        this.steps = Array.from({ length: 4 }, () => words(6));
        this.minutes = random(120);
    }
}

const recipes = Array.from({ length: 6500 }, (_, number) => new Recipe(number));
let bytes = 0;

function render(recipe, reader) {
    const steps = recipe.steps.map((step, at) => React.createElement('li', { key: at }, step));
    const body = React.createElement('div', null, React.createElement('h1', null, `${recipe.title} for ${reader}`), React.createElement('ol', null, steps));
    bytes += renderToString(React.createElement(PageTitle, { title: recipe.title }, body)).length;
    PageTitle.rewind();
}

twice(450, async (from, to) => {
    for (let number = from; number < to; number++) {
        render(recipes[random(6500)], id('reader', number));
        if (number % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
});
