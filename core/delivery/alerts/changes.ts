/**
 * Counts of connectivity changes of monitored gateways, and of notifications, for results. They
 * include gateways that no alert monitors any more. They follow from events, so they are not
 * folded.
 */
import { addedUp } from '../../../sim/base/counts.ts';
import type { AlertsResult, ChangeFate, MonitoredGateway } from '../../result/delivery.ts';
import type { Debounced } from './debounce.ts';

/** Plain data: by EUI, in the order in which they were first monitored. */
export type SavedChanges = readonly (readonly [eui: string, Seen])[];

interface Seen {
  readonly changes: number;
  readonly told: number;
}

export class Changes {
  #seen = new Map<string, Seen>();

  /** A gateway is monitored from now on; what has not lasted yet counts as a change. */
  begin(eui: string, { settled, status }: Debounced): void {
    this.#add(eui, { changes: status === settled ? 0 : 1, told: 0 });
  }

  turned(eui: string): void {
    this.#add(eui, { changes: 1, told: 0 });
  }

  told(eui: string): void {
    this.#add(eui, { changes: 0, told: 1 });
  }

  /** `stateOf` gives the state of a gateway that is monitored. */
  results(
    nameOf: (eui: string) => string,
    stateOf: (eui: string) => Debounced | undefined,
  ): Omit<AlertsResult, 'alerts'> {
    const gateways = Array.from(this.#seen, ([eui, seen]): MonitoredGateway => {
      const { changes } = seen;
      return { name: nameOf(eui), eui, changes, fates: fatesOf(seen, stateOf(eui)) };
    });
    return {
      changes: gateways.reduce((sum, { changes }) => sum + changes, 0),
      fates: addedUp(gateways.map(({ fates }) => fates)),
      gateways,
    };
  }

  save(): SavedChanges {
    return [...this.#seen];
  }

  load(saved: SavedChanges): void {
    this.#seen = new Map(saved);
  }

  #add(eui: string, { changes, told }: Seen): void {
    const seen = this.#seen.get(eui) ?? { changes: 0, told: 0 };
    this.#seen.set(eui, { changes: seen.changes + changes, told: seen.told + told });
  }
}

/** Changes without a notification were too short, or ended an earlier one. */
function fatesOf({ changes, told }: Seen, state: Debounced | undefined) {
  const waiting = state !== undefined && state.status !== state.settled ? 1 : 0;
  return addedUp<ChangeFate>([{ told, waiting, notTold: changes - told - waiting }]);
}
