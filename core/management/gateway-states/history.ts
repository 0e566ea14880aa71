/**
 * What has happened to gateways: faults that began or ended, moves, and RF regions that were set.
 * Statuses are not among it: which of them got through is derived (timeline.ts). Stored are the
 * latest `MOST_TURNS` of each gateway, however old they are, as logs are.
 */
export const MOST_TURNS = 10_000;

/** How a gateway is from an instant on, until its next turn. */
export interface Turn {
  /** µs. */
  readonly atUs: number;
  readonly backhaulUp: boolean;
  readonly radioUp: boolean;
  /** When it was put up, or moved last. */
  readonly bootedAtUs: number;
  /** The RF region that it is to be set to, by id. */
  readonly rfRegion: string;
  /** Latest status that had got through by then, µs; `NEVER_US`: none had. */
  readonly statusAtUs: number;
}

/** Plain data. */
export type SavedHistories = readonly {
  readonly eui: string;
  readonly turns: readonly Turn[];
}[];

export class Histories {
  readonly #turns = new Map<string, Turn[]>();

  /** In the order of time; none: nothing has happened since it was planned. */
  of(eui: string): readonly Turn[] {
    return this.#turns.get(eui) ?? [];
  }

  /** Past `MOST_TURNS` the oldest goes; the first that is left says how the gateway was then. */
  add(eui: string, turn: Turn): void {
    const turns = this.#turns.get(eui) ?? [];
    this.#turns.set(eui, turns);
    turns.push(turn);
    if (turns.length > MOST_TURNS) turns.shift();
  }

  forget(eui: string): void {
    this.#turns.delete(eui);
  }

  /** Shares nothing with these. */
  save(): SavedHistories {
    return [...this.#turns].map(([eui, turns]) => ({ eui, turns: [...turns] }));
  }

  load(saved: SavedHistories): void {
    this.#turns.clear();
    for (const { eui, turns } of saved) this.#turns.set(eui, [...turns]);
  }
}
