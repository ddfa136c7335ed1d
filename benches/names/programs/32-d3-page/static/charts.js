'use strict';
let drawn = 0;

// The charts of a page follow each other's brush.
const brushed = d3.dispatch('brush');

class Series {
    constructor(number) {
        this.number = number;
        this.points = Array.from({ length: 60 }, (_, day) => ({ day, value: Math.sin(day * number) * 100 + 0.5, label: ['series', number, 'day', day].join(' ') }));
    }
}

/** Draws a chart in place of the last one. The name of the listener is new each time, so the dispatch keeps the old ones. */
function chart(place) {
    const series = new Series(drawn++);
    const svg = d3.select(place).html('').append('svg');
    const x = d3.scaleLinear([0, 60], [0, 600]);
    const y = d3.scaleLinear([-100, 101], [200, 0]);
    const draw = () => svg.selectAll('circle').data(series.points).join('circle').attr('cx', ({ day }) => x(day)).attr('cy', ({ value }) => y(value)).attr('r', 2);
    draw();
    brushed.on(`brush.chart-${series.number}`, (from, to) => {
        x.domain([from, to]);
        draw();
    });
}

function show(times) {
    for (let time = 0; time < times; time++) chart('#place');
    document.title = 'idle';
}

document.querySelector('#browse').addEventListener('click', () => setTimeout(show, 0, 3));
document.querySelector('#grow').addEventListener('click', () => setTimeout(show, 0, 500));
document.title = 'idle';
