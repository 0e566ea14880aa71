/** Gateways that leave and come back: each life has a name of its own, and a time. */
import type { DownlinkBegins, TraceRow } from '../../../sim/observation/observer.ts';

export interface GatewayIncarnation {
  /** −∞ when the trace does not show it. */
  readonly fromUs: number;
  /** ∞ while it lasts. */
  untilUs: number;
}

export interface GatewayIncarnations {
  /** The rows, in which a gateway's second life is called `name#2`, and so on. */
  readonly rows: readonly TraceRow[];
  readonly lives: ReadonlyMap<string, GatewayIncarnation>;
}

/** A life's name in the plan. */
export const plannedName = (life: string): string => life.replace(/#\d+$/, '');

export function nameGatewayIncarnations(rows: readonly TraceRow[]): GatewayIncarnations {
  const renamer = new Renamer();
  return { rows: rows.map((row) => renamer.rename(row)), lives: renamer.lives };
}

class Renamer {
  readonly lives = new Map<string, GatewayIncarnation>();
  readonly #count = new Map<string, number>();
  /** What is on the air, by the gateway's plain name. */
  readonly #onAir = new Map<string, DownlinkBegins[]>();

  rename(row: TraceRow): TraceRow {
    switch (row.kind) {
      case 'gatewayStarts':
        return this.#start(row);
      case 'gatewayRemoved':
        return this.#remove(row);
      case 'uplinkEnds':
        return {
          ...row,
          gateways: row.gateways.map((at) => ({ ...at, gateway: this.#present(at.gateway) })),
        };
      case 'downlinkBegins': {
        const renamed = { ...row, gateway: this.#present(row.gateway) };
        const sending = (this.#onAir.get(row.gateway) ?? []).filter(
          ({ atUs, airtimeUs }) => atUs + airtimeUs >= row.atUs,
        );
        this.#onAir.set(row.gateway, [...sending, renamed]);
        return renamed;
      }
      case 'downlinkEnds':
        return { ...row, gateway: this.#ending(row.gateway, row.downlink, row.atUs) };
      case 'downlinkPlanned':
      case 'downlinkRefused':
      case 'gatewayFault':
        return { ...row, gateway: this.#present(row.gateway) };
      default:
        return row;
    }
  }

  #present(name: string): string {
    const count = this.#count.get(name) ?? 1;
    return count === 1 ? name : `${name}#${count}`;
  }

  #start<Row extends TraceRow & { readonly gateway: string }>(row: Row): Row {
    const before = this.lives.get(this.#present(row.gateway));
    if (before !== undefined) this.#count.set(row.gateway, (this.#count.get(row.gateway) ?? 1) + 1);
    const gateway = this.#present(row.gateway);
    this.lives.set(gateway, { fromUs: row.atUs, untilUs: Number.POSITIVE_INFINITY });
    return { ...row, gateway };
  }

  #remove<Row extends TraceRow & { readonly gateway: string }>(row: Row): Row {
    const gateway = this.#present(row.gateway);
    const life = this.lives.get(gateway);
    if (life === undefined) {
      this.lives.set(gateway, { fromUs: Number.NEGATIVE_INFINITY, untilUs: row.atUs });
    } else life.untilUs = row.atUs;
    return { ...row, gateway };
  }

  /** A removed gateway finishes what it was sending. */
  #ending(name: string, downlink: number, endUs: number): string {
    const begun = this.#onAir
      .get(name)
      ?.find((one) => one.downlink === downlink && one.atUs + one.airtimeUs === endUs);
    return begun?.gateway ?? this.#present(name);
  }
}
