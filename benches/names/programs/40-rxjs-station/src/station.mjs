import { Subject } from 'rxjs';

export class WeatherStation {
    readings$ = new Subject();

    measure(degrees) {
        this.readings$.next({ degrees, at: Date.now() });
    }
}

export const station = new WeatherStation();
