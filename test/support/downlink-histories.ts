/**
 * The law of downlinks: what was requested, what the platform was reported and what the radio
 * showed, judged by code that shares nothing with the server.
 */
import { vi } from 'vitest';
import { Downlinks } from '../../core/base/downlinks.ts';
import { Owners } from '../../core/base/subscribers.ts';
import type { TimedCommand } from '../../core/command.ts';
import { Platform } from '../../core/platform.ts';
import type { RunPlan } from '../../core/world/plan.ts';
import { World } from '../../core/world/world.ts';
import { withLatecomers } from '../../scenarios/trace.ts';
import type { DownlinkFateNews, DownlinkNews, Sender } from '../../sim/contract/downlinks.ts';
import type { NewDownlink } from '../../sim/contract/requests.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';

type RowOf<Kind extends TraceRow['kind']> = Extract<TraceRow, { readonly kind: Kind }>;
type WhatOf<Kind extends DownlinkFateNews['kind']> = Extract<
  DownlinkFateNews,
  { readonly kind: Kind }
>;

/** A planned frame's window, as news name it. */
const windowOf = ({ pingSlot, window }: RowOf<'downlinkPlanned'>) =>
  pingSlot === true ? 'ping' : window === 0 ? 'classC' : window;

/** FPort, −1 for none, and length of FRMPayload of a data frame (LoRaWAN 1.0.4 §4). */
function contentsOf(phyPayload: string) {
  const bytes = Buffer.from(phyPayload, 'hex');
  const fOpts = bytes[5]! & 0x0f;
  const isEmpty = bytes.length === 12 + fOpts;
  return {
    confirmed: bytes[0]! >> 5 === 5,
    ack: (bytes[5]! & 0x20) !== 0,
    fPort: isEmpty ? -1 : bytes[8 + fOpts]!,
    payloadBytes: isEmpty ? 0 : bytes.length - 13 - fOpts,
  };
}

/** A downlink from its request on. */
interface Life {
  readonly request: NewDownlink;
  readonly sender: Sender;
  readonly reported: DownlinkFateNews['kind'][];
  firstSentUs: number;
  ended: boolean;
}

export class DownlinkLives {
  readonly complaints: string[] = [];
  /** How often each kind of news and each reason came. */
  readonly census = new Map<string, number>();
  readonly lives = new Map<number, Life>();
  readonly #planned: RowOf<'downlinkPlanned'>[] = [];
  readonly #begun: RowOf<'downlinkBegins'>[] = [];
  readonly #uplinks = new Map<string, { phyPayload: string; counter: number; endedAtUs: number }>();
  readonly #clears = new Set<string>();
  readonly #euis: ReadonlyMap<string, string>;

  constructor(gateways: readonly { readonly name: string; readonly eui: string }[]) {
    this.#euis = new Map(gateways.map(({ name, eui }) => [name, eui]));
  }

  /** An observer's row. */
  trace(row: TraceRow): void {
    if (row.kind === 'downlinkPlanned' && row.purpose === 'data') this.#planned.push(row);
    if (row.kind === 'downlinkBegins') this.#begun.push(row);
    if (row.kind === 'uplinkBegins') {
      const { phyPayload, counter } = row;
      this.#uplinks.set(`${row.device} ${row.frame}`, { phyPayload, counter, endedAtUs: -1 });
    }
    if (row.kind !== 'uplinkEnds') return;
    const uplink = this.#uplinks.get(`${row.device} ${row.frame}`);
    if (uplink !== undefined) uplink.endedAtUs = row.atUs;
  }

  request(id: number, sender: Sender, request: NewDownlink): void {
    if (this.lives.has(id)) this.complaints.push(`${id} is used again`);
    this.lives.set(id, { request, sender, reported: [], firstSentUs: Infinity, ended: false });
  }

  clear(sender: Sender, devEui: string): void {
    this.#clears.add(`${devEui} ${sender.kind} ${sender.id}`);
  }

  report({ id, sender, devEui, what }: DownlinkNews, nowUs: number): void {
    this.#count(what.kind);
    const life = this.lives.get(id);
    const complain = (text: string) => this.complaints.push(`downlink ${id} ${text}`);
    if (life?.request.devEui !== devEui) return void complain('was not requested');
    if (life.sender.kind !== sender.kind || life.sender.id !== sender.id) complain('is another’s');
    const isLate = what.kind === 'answered' && life.request.confirmed !== true;
    if (life.ended && !isLate) complain(`is ${what.kind} after its end`);
    life.reported.push(what.kind);
    if (what.kind === 'planned') this.#takePlanned(life, what, nowUs, complain);
    if (what.kind === 'sent') this.#takeSent(life, what, nowUs, complain);
    if (what.kind === 'answered') this.#takeAnswered(life, what, complain);
    if (what.kind === 'acknowledged') this.#takeAcknowledged(life, complain);
    if (what.kind === 'dropped') this.#takeDropped(life, what, complain);
  }

  #takePlanned({ request }: Life, what: WhatOf<'planned'>, nowUs: number, complain: Complain) {
    const frame = this.#planned.find((row) => {
      const { fPort, payloadBytes, confirmed } = contentsOf(row.phyPayload);
      return (
        row.atUs === nowUs &&
        row.devEui === request.devEui &&
        row.startsAtUs === what.startsAtUs &&
        windowOf(row) === what.window &&
        (this.#euis.get(row.gateway) ?? what.gatewayEui) === what.gatewayEui &&
        fPort === request.fPort &&
        payloadBytes === request.payload.length &&
        confirmed === (request.confirmed ?? false)
      );
    });
    if (frame === undefined) complain('is planned without a frame');
    if (what.startsAtUs < (request.notBeforeUs ?? 0)) complain('is planned too early');
  }

  #takeSent(life: Life, what: WhatOf<'sent'>, nowUs: number, complain: Complain) {
    const { request } = life;
    const frame = this.#begun.find((row) => {
      if (row.atUs !== nowUs) return false;
      const planned = this.#planned.findLast(
        ({ gateway, downlink }) => gateway === row.gateway && downlink === row.downlink,
      );
      return (
        planned?.devEui === request.devEui &&
        contentsOf(planned.phyPayload).fPort === request.fPort &&
        (this.#euis.get(row.gateway) ?? what.gatewayEui) === what.gatewayEui
      );
    });
    if (frame === undefined) complain('is sent without a frame');
    const sent = timesOf(life, 'sent');
    if (sent > timesOf(life, 'planned')) complain('is sent more often than planned');
    if (sent > (request.confirmed ? 8 : 1)) complain('is sent too often');
    life.firstSentUs = Math.min(life.firstSentUs, nowUs);
    life.ended ||= request.confirmed !== true;
  }

  #takeAnswered(life: Life, what: WhatOf<'answered'>, complain: Complain) {
    const uplink = [...this.#uplinks.values()].find(
      ({ counter, endedAtUs, phyPayload }) =>
        counter === what.fCnt &&
        endedAtUs > life.firstSentUs &&
        contentsOf(phyPayload).fPort === what.fPort,
    );
    if (uplink === undefined) complain('is answered by nothing after it');
    if (timesOf(life, 'answered') > 1) complain('is answered twice');
  }

  #takeAcknowledged(life: Life, complain: Complain) {
    const isAck = ({ phyPayload, endedAtUs }: { phyPayload: string; endedAtUs: number }) =>
      endedAtUs > life.firstSentUs && contentsOf(phyPayload).ack;
    if (!life.request.confirmed) complain('is acknowledged unasked');
    if (![...this.#uplinks.values()].some(isAck)) complain('is acknowledged without the bit');
    life.ended = true;
  }

  #takeDropped(life: Life, { reason }: WhatOf<'dropped'>, complain: Complain) {
    this.#count(reason);
    const { kind, id } = life.sender;
    const isCleared = this.#clears.has(`${life.request.devEui} ${kind} ${id}`);
    if (reason === 'cleared' && !isCleared) complain('is cleared by another');
    const isTried = life.request.confirmed === true && timesOf(life, 'sent') > 0;
    if (reason === 'neverAcknowledged' && !isTried) complain('was never to be acknowledged');
    life.ended = true;
  }

  /** What is wrong at the end, where these ids wait. */
  judge(waiting: ReadonlySet<number>): readonly string[] {
    for (const [id, life] of this.lives) {
      const last = life.reported.findLast((kind) => kind !== 'answered');
      const isUnderway = last === 'planned';
      const isAwaited = life.request.confirmed === true && last === 'sent';
      const isOpen = waiting.has(id) || isUnderway || isAwaited;
      if (life.ended && waiting.has(id)) this.complaints.push(`downlink ${id} waits after its end`);
      if (!life.ended && !isOpen) this.complaints.push(`downlink ${id} is lost from sight`);
    }
    return this.complaints;
  }

  /** Planned data frames that carry a payload on a port of applications. */
  get framesPlanned(): number {
    return this.#planned.filter(({ phyPayload }) => contentsOf(phyPayload).fPort > 0).length;
  }

  #count(what: string): void {
    this.census.set(what, (this.census.get(what) ?? 0) + 1);
  }
}

type Complain = (text: string) => unknown;

const timesOf = ({ reported: reports }: Life, kind: DownlinkFateNews['kind']): number =>
  reports.filter((one) => one === kind).length;

export interface Followed {
  readonly lives: DownlinkLives;
  readonly world: World;
}

/** Carries a world out and follows its downlinks. */
export function follow(
  plan: RunPlan,
  seed: string,
  commands: readonly TimedCommand[] = [],
): Followed {
  const { devices, gateways } = withLatecomers(plan.network, [...plan.timeline, ...commands]);
  const lives = new DownlinkLives(gateways);
  const stop = eavesdrop(lives);
  const world = World.create(plan, seed, { observer: lives });
  for (const { atUs, command } of commands) {
    world.runUntil(atUs);
    world.submit(command);
  }
  world.runUntil(world.endUs);
  stop();
  const ownerOf = ownersOf(plan);
  const waiting = [...new Set(devices.map(({ devEui }) => devEui))].flatMap((devEui) => {
    const by = ownerOf(devEui);
    const answer = world.ask({ kind: 'downlink.waiting', by, devEui });
    return answer.ok ? answer.value.map(({ downlink_id }) => downlink_id) : [];
  });
  lives.judge(new Set(waiting));
  return { lives, world };
}

/** Whose each device of a plan is. */
export function ownersOf({ owners: planned }: RunPlan): (devEui: string) => string {
  const owners = new Owners();
  if (planned !== undefined) owners.plan(planned);
  return (devEui) => owners.ownerOf('device', devEui);
}

/** Whatever world runs meanwhile is listened to. */
function eavesdrop(lives: DownlinkLives): () => void {
  const { send, clear } = Downlinks.prototype;
  const { hear } = Platform.prototype;
  const spies = [
    vi.spyOn(Downlinks.prototype, 'send').mockImplementation(function (
      this: Downlinks,
      sender,
      downlink,
      nowUs,
    ) {
      const id = send.call(this, sender, downlink, nowUs);
      lives.request(id, sender, downlink);
      return id;
    }),
    vi.spyOn(Downlinks.prototype, 'clear').mockImplementation(function (
      this: Downlinks,
      sender,
      devEui,
      nowUs,
    ) {
      lives.clear(sender, devEui);
      clear.call(this, sender, devEui, nowUs);
    }),
    vi.spyOn(Platform.prototype, 'hear').mockImplementation(function (this: Platform, news, nowUs) {
      if (news.kind === 'downlink') lives.report(news, nowUs);
      return hear.call(this, news, nowUs);
    }),
  ];
  return () => {
    for (const spy of spies) spy.mockRestore();
  };
}
