/**
 * Who waits for something in the world of served-day.ts, from answers, news and the radio alone:
 * an oracle of what the world itself says of that.
 */

import type { WorldOptions } from '../../core/world/options.ts';
import type { World } from '../../core/world/world.ts';
import type { News } from '../../sim/contract/news.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import { got } from '../core/resources/service.ts';
import { type downlinkTo, SERVED_DAY } from './served-day.ts';

const OVER = ['FINISHED', 'HALTED', 'ERROR_SETTING_UP'];
const OWNERS = ['ann', 'bob'] as const;

/** The id of a subscriber's only campaign. */
export const idOf = (world: World, by: string): string =>
  got(world.ask({ kind: 'campaign.list', by }))[0]!.campaign_id;

export const stageOf = (world: World, by: string, campaign_id: string): string =>
  got(world.ask({ kind: 'campaign.shortStatus', by, campaign_id })).stage_str;

export class Waiting {
  /**
   * Downlinks that are asked for and whose end was not reported, and whether they are confirmed.
   */
  readonly #open = new Map<number, boolean>();
  /** Gateways that send one of them. */
  readonly #onAir = new Set<string>();
  readonly options: WorldOptions = {
    news: (news) => this.#hear(news),
    observer: { trace: (row) => this.#see(row) },
  };

  enqueued(id: number, confirmed: boolean): void {
    if (!this.#reported.delete(id)) this.#open.set(id, confirmed);
  }

  /** Ends that are reported before the answer has the id. */
  readonly #reported = new Set<number>();

  #hear(news: News): void {
    if (news.kind !== 'downlink') return;
    const { id, what } = news;
    if (what.kind === 'sent') this.#onAir.add(gatewayName(what.gatewayEui));
    const ends = what.kind === 'sent' ? this.#open.get(id) === false : ENDS.has(what.kind);
    if (ends && !this.#open.delete(id)) this.#reported.add(id);
  }

  #see(row: TraceRow): void {
    if (row.kind === 'downlinkEnds') this.#onAir.delete(row.gateway);
  }

  isIdle(world: World): boolean {
    const campaigns = OWNERS.flatMap((by) =>
      got(world.ask({ kind: 'campaign.list', by })).map((one) =>
        stageOf(world, by, one.campaign_id),
      ),
    );
    const areOver = campaigns.every((stage) => OVER.includes(stage));
    return areOver && this.#open.size === 0 && this.#onAir.size === 0;
  }
}

const ENDS = new Set(['acknowledged', 'dropped']);
const gatewayName = (eui: string): string =>
  SERVED_DAY.network.gateways.find((one) => one.eui === eui)!.name;

/** Enqueues a downlink, and notes it. */
export function submit(
  world: World,
  waiting: Waiting,
  command: ReturnType<typeof downlinkTo>,
): void {
  const { downlink_id } = got(world.submit(command));
  waiting.enqueued(downlink_id, command.confirmed === true);
}
