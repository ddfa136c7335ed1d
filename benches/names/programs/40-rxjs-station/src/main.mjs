import { Panel } from './panel.mjs';
import { station } from './station.mjs';

function visit(from, to) {
    for (let number = from; number < to; number++) new Panel(`user-${number}`);
    for (let degrees = 20; degrees < 40; degrees++) station.measure(degrees);
}

visit(0, 20);
process.emit('names:before');
visit(20, 5000);
process.emit('names:after');
