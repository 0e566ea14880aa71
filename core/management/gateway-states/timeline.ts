/**
 * How a gateway was over some time, change by change: its turns, and between them which statuses
 * got through, as the network derives them. Its values at an instant equal the gateway's state at
 * that instant (core/simulator/gateway-states.ts).
 */
import { FRESH_US } from '../../../sim/base/gateway-statuses.ts';
import type { GatewayView } from '../../../sim/contract/view.ts';
import type { Steps } from '../../base/in-steps.ts';
import { NEVER_US } from '../../base/instant.ts';
import { type Connection, type Health, healthWhere } from '../../simulator/gateway-states.ts';
import type { Turn } from './history.ts';

/** A gateway from an instant on. */
export interface Moment extends Omit<Turn, 'statusAtUs'> {
  readonly connection: Connection;
  readonly health: Health;
}

/** What derives its statuses. */
type Handle = Pick<GatewayView, 'firstSentUs' | 'latestSentUs' | 'hardware'>;

/** Statuses that one step looks at: some milliseconds. */
const PER_STEP = 8_192;

export class GatewayTimeline {
  /** In the order of time. */
  readonly moments: Moment[] = [];
  /** The RF region that it had been set to by the first of them, by id; '': it never was. */
  regionBefore = '';
  readonly #gateway: Handle;
  readonly #turns: readonly Turn[];
  #turn: Turn;
  #connection: Connection = 'NEVERCNX';
  /** Its latest status. */
  #statusAtUs = NEVER_US;
  #looks = 0;

  /** Of one turn at least. */
  constructor(gateway: Handle, turns: readonly Turn[]) {
    this.#gateway = gateway;
    this.#turns = turns;
    this.#turn = turns[0]!;
  }

  /** Adds how it was at an instant, or when it came, and each change up to another instant. */
  *between(fromUs: number, untilUs: number): Steps<void> {
    const later = this.#turns.findIndex(({ atUs }) => atUs > fromUs);
    let next = later < 0 ? this.#turns.length : Math.max(1, later);
    this.#turn = this.#turns[next - 1]!;
    let atUs = Math.max(fromUs, this.#turn.atUs);
    if (atUs > untilUs) return;
    this.#begin(atUs);
    for (; ; next++) {
      const turn = this.#turns[next];
      const isLast = turn === undefined || turn.atUs > untilUs;
      yield* this.#statuses(atUs, isLast ? untilUs : turn.atUs);
      if (isLast) return;
      this.#turn = turn;
      this.#note(turn.atUs, this.#connection);
      atUs = turn.atUs;
    }
  }

  #begin(nowUs: number): void {
    const { atUs, backhaulUp, statusAtUs } = this.#turn;
    const sentUs = backhaulUp ? this.#gateway.latestSentUs(atUs, nowUs) : null;
    this.#statusAtUs = sentUs ?? statusAtUs;
    if (this.#statusAtUs === NEVER_US) return this.#note(nowUs, 'NEVERCNX');
    const connectedUntilUs = Math.min(nowUs, this.#statusAtUs + FRESH_US);
    const then = this.#turns.findLast((turn) => turn.atUs <= connectedUntilUs) ?? this.#turns[0]!;
    this.regionBefore = then.rfRegion;
    return this.#note(nowUs, connectedUntilUs === nowUs ? 'CNX' : 'DISC');
  }

  /** After one instant and up to another, between which nothing happens to it. */
  *#statuses(afterUs: number, untilUs: number): Steps<void> {
    const { backhaulUp } = this.#turn;
    const loses = this.#gateway.hardware.backhaul.lossPpm > 0;
    for (let fromUs = afterUs; ; fromUs = this.#statusAtUs) {
      const nextUs = backhaulUp ? this.#gateway.firstSentUs(fromUs, untilUs) : null;
      const staleAtUs = this.#statusAtUs + FRESH_US + 1;
      const isSilent = nextUs === null ? staleAtUs <= untilUs : staleAtUs < nextUs;
      if (this.#connection === 'CNX' && isSilent) this.#note(staleAtUs, 'DISC');
      if (nextUs === null) return;
      if (this.#connection !== 'CNX') this.#note(nextUs, 'CNX');
      // Where none is lost, they go on to come as they do.
      const latestUs = loses ? null : this.#gateway.latestSentUs(nextUs, untilUs);
      this.#statusAtUs = latestUs ?? nextUs;
      if (++this.#looks % PER_STEP === 0) yield;
    }
  }

  #note(atUs: number, connection: Connection): void {
    this.#connection = connection;
    const { backhaulUp, radioUp, bootedAtUs, rfRegion } = this.#turn;
    const health = healthWhere(connection, this.#turn);
    this.moments.push({ atUs, backhaulUp, radioUp, bootedAtUs, rfRegion, connection, health });
  }
}
