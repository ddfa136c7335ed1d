import { bufferCount, filter, map } from 'rxjs';
import { station } from './station.mjs';

export class Panel {
    constructor(owner) {
        this.owner = owner;
        this.warnings = [];
        // Subscribed when the panel opens; the subscription is not kept, so nobody can end it.
        station.readings$.pipe(filter(({ degrees }) => degrees > 30), map(({ degrees }) => `${degrees} degrees, says ${owner}`), bufferCount(3)).subscribe((three) => this.warnings.push(...three));
    }
}
