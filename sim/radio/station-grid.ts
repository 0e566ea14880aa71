/**
 * Gateways by their place: who may be within reach is found without looking at all of them.
 *
 * Squares of half the reach, so that a disc of the reach touches at most 25 of them; larger where
 * gateways are so far apart that most squares would be empty.
 */

/** What stands somewhere. */
interface Placed {
  readonly xMeters: number;
  readonly yMeters: number;
}

const SQUARES_A_REACH = 2;
const MOST_SQUARES_A_STATION = 4;

export class StationGrid<Station extends Placed> {
  readonly #stations: readonly Station[];
  readonly #reachMeters: number;
  readonly #westMeters: number;
  readonly #southMeters: number;
  readonly #sideMeters: number;
  readonly #columns: number;
  readonly #rows: number;
  /** Stations of each square, row by row of squares. */
  readonly #squares: Station[][];

  constructor(stations: readonly Station[], reachMeters: number) {
    this.#stations = stations;
    this.#reachMeters = reachMeters;
    const east = extent(stations.map((one) => one.xMeters));
    const north = extent(stations.map((one) => one.yMeters));
    this.#westMeters = east.least;
    this.#southMeters = north.least;
    const squareMeters = east.length * north.length;
    const least = Math.sqrt(squareMeters / (MOST_SQUARES_A_STATION * Math.max(1, stations.length)));
    const longest = Math.max(east.length, north.length, 1);
    this.#sideMeters = Math.min(longest, Math.max(reachMeters / SQUARES_A_REACH, least, 1));
    this.#columns = Math.floor(east.length / this.#sideMeters) + 1;
    this.#rows = Math.floor(north.length / this.#sideMeters) + 1;
    this.#squares = Array.from({ length: this.#columns * this.#rows }, () => []);
    for (const station of stations) {
      const column = this.#column(station.xMeters);
      this.#squares[this.#row(station.yMeters) * this.#columns + column]!.push(station);
    }
  }

  /** Whether it is of these very stations. */
  isOf(stations: readonly Station[]): boolean {
    return this.#stations === stations;
  }

  /** Puts every station within reach of a place, and some beyond, in `found`, in no order. */
  around(xMeters: number, yMeters: number, found: Station[]): void {
    found.length = 0;
    const reach = this.#reachMeters;
    const [west, east] = [this.#column(xMeters - reach), this.#column(xMeters + reach)];
    const [south, north] = [this.#row(yMeters - reach), this.#row(yMeters + reach)];
    for (let row = south; row <= north; row++) {
      for (let column = west; column <= east; column++) {
        for (const station of this.#squares[row * this.#columns + column]!) found.push(station);
      }
    }
  }

  #column(xMeters: number): number {
    return within((xMeters - this.#westMeters) / this.#sideMeters, this.#columns);
  }

  #row(yMeters: number): number {
    return within((yMeters - this.#southMeters) / this.#sideMeters, this.#rows);
  }
}

/** The square of a place, the nearest one where it lies outside. */
const within = (square: number, count: number): number =>
  Math.min(count - 1, Math.max(0, Math.floor(square)));

function extent(meters: readonly number[]): { readonly least: number; readonly length: number } {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const one of meters) {
    least = Math.min(least, one);
    most = Math.max(most, one);
  }
  return meters.length === 0 ? { least: 0, length: 0 } : { least, length: most - least };
}
