/** Explains a gateway: what it received, could not forward and sent, and the run without it. */
import type { GatewayExplanation } from '../../core/result/explanation.ts';
import type { OutageResult, RunResult } from '../../core/result/result.ts';
import { World } from '../../core/world/world.ts';
import type { DownlinkRefusal } from '../../sim/base/counts.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import { count } from '../../sim/observation/tally.ts';
import {
  planOf,
  type Repeatable,
  RepeatedRun,
  recordedAt,
  withCodecs,
} from '../branching/repeated-run.ts';
import { seconds } from './device-events.ts';
import { type ExplainingHow, explainedOf } from './explain-device.ts';

/** What the trace says of one gateway. */
class GatewayWatch {
  readonly #name: string;
  readonly #purposes = new Map<number, string>();
  readonly sent: Partial<Record<string, number>> = {};
  readonly refused: Partial<Record<DownlinkRefusal, number>> = {};
  /** Begins of outages of its backhaul, and the frames received in each. */
  readonly notForwarded: { readonly fromUs: number; frames: number }[] = [];
  #isDown = false;

  constructor(name: string) {
    this.#name = name;
  }

  trace(row: TraceRow): void {
    if (row.kind === 'uplinkEnds') return this.#uplink(row.gateways);
    if (!('gateway' in row) || row.gateway !== this.#name) return;
    switch (row.kind) {
      case 'downlinkPlanned':
        this.#purposes.set(row.downlink, row.purpose);
        return;
      case 'downlinkBegins':
        count(this.sent, this.#purposes.get(row.downlink) ?? 'data');
        return;
      case 'downlinkRefused':
        count(this.refused, row.reason);
        return;
      case 'gatewayFault':
        if (row.fault !== 'backhaul') return;
        this.#isDown = row.on;
        if (row.on) this.notForwarded.push({ fromUs: row.atUs, frames: 0 });
    }
  }

  #uplink(gateways: readonly { readonly gateway: string; readonly fate: string }[]): void {
    if (!this.#isDown) return;
    const here = gateways.find(({ gateway }) => gateway === this.#name);
    if (here?.fate === 'received') this.notForwarded.at(-1)!.frames++;
  }
}

/** The name is that of a gateway of the result at the instant. */
export function explainGateway(
  run: Repeatable,
  name: string,
  how: ExplainingHow,
): GatewayExplanation | undefined {
  const { result, own } = ownOf(run, name, how.untilUs);
  const gateway = result.gateways.find((one) => one.name === name);
  if (gateway === undefined) return undefined;
  const outages = (result.outages ?? []).filter((one: OutageResult) => one.gateway === name);
  return {
    kind: 'gateway',
    ...explainedOf(run, how),
    gateway,
    outages,
    peaks: peaksOf(result, name),
    notForwarded: own.notForwarded.map(({ fromUs, frames }) => {
      return { fromSeconds: seconds(fromUs), frames };
    }),
    sent: own.sent,
    refused: own.refused,
    without: how.whatIf && run.branches.length === 0 ? without(run, name, how, result) : null,
  };
}

/** The result, and what there is of the gateway beside it: as recorded, or by a replay. */
function ownOf(run: Repeatable, name: string, untilUs: number) {
  const recorded = recordedAt(run, untilUs);
  if (recorded !== undefined) {
    const { result, stories } = recorded;
    const own = stories.gatewayStories.find(([gateway]) => gateway === name)?.[1];
    return { result, own: own ?? { sent: {}, refused: {}, notForwarded: [] } };
  }
  const own = new GatewayWatch(name);
  const observer = { trace: (row: TraceRow) => own.trace(row) };
  const repeated = new RepeatedRun(run, { records: false, observer });
  repeated.runUntil(untilUs);
  return { result: repeated.world.result(), own };
}

function peaksOf({ budgets }: RunResult, name: string): GatewayExplanation['peaks'] {
  const own = budgets?.dutyCycle.filter(({ gateway }) => gateway === name) ?? [];
  return own.map(({ band, limit, used: series }) => {
    const used = series.reduce((most, each) => Math.max(most, each), 0);
    return { band, limit, used, atSeconds: series.indexOf(used) * budgets!.sliceSeconds };
  });
}

/** The same run without the gateway, to the same instant. */
function without(
  run: Repeatable,
  name: string,
  { untilUs }: ExplainingHow,
  result: RunResult,
): GatewayExplanation['without'] {
  const plan = planOf(run);
  const gateways = plan.network.gateways.filter((gateway) => gateway.name !== name);
  if (gateways.length === plan.network.gateways.length) return null;
  const network = { ...plan.network, gateways };
  const world = World.create({ ...plan, network }, run.seed, withCodecs(run, { records: false }));
  world.runUntil(untilUs);
  const other = world.result();
  const pair = (of: (one: RunResult) => number) => [of(result), of(other)] as const;
  const running = (one: RunResult) => one.campaigns.reduce((sum, each) => sum + each.running, 0);
  return {
    delivered: pair(({ devices }) => devices.messagesDelivered),
    joined: pair(({ devices }) => devices.joined),
    running: result.campaigns.length === 0 ? null : pair(running),
  };
}
