/**
 * A trace in the form that laws read: every transmission with all rows that belong to it. Only
 * types are imported from the simulator; nothing here depends on how it works.
 */

import { centiDbToLinear, linearToCentiDb } from '../../../sim/base/math.ts';
import type {
  DeviceDies,
  DeviceFails,
  DeviceReceives,
  DeviceStarts,
  DeviceSwitchesClass,
  DownlinkBegins,
  DownlinkEnds,
  DownlinkPlanned,
  GatewayFails,
  ReceiveWindows,
  TraceRow,
  UplinkBegins,
  UplinkCollected,
  UplinkEnds,
  WindowRow,
} from '../../../sim/observation/observer.ts';
import type { NetworkPlan } from '../../../sim/plan/network-plan.ts';
import { type GatewayIncarnation, nameGatewayIncarnations } from './gateway-incarnations.ts';
import { typeOf } from './planned.ts';

/** One uplink transmission. */
export interface Flight {
  /** Name of the device, with `#n` from its second life under that name. */
  readonly device: string;
  readonly begins: UplinkBegins;
  readonly fromUs: number;
  readonly untilUs: number;
  readonly ends: UplinkEnds[];
  readonly windows: ReceiveWindows[];
  readonly collected: UplinkCollected[];
  /** When its device was removed while it was on the air. */
  brokenOffAtUs?: number;
}

/** Until when a flight was really on the air. */
export const leavesAirAtUs = ({ untilUs, brokenOffAtUs }: Flight): number =>
  Math.min(untilUs, brokenOffAtUs ?? untilUs);

export interface Downlink {
  readonly gateway: string;
  readonly number: number;
  readonly planned: DownlinkPlanned[];
  readonly begins: DownlinkBegins[];
  readonly ends: DownlinkEnds[];
  fromUs: number;
  untilUs: number;
}

export interface DeviceStory {
  readonly device: string;
  readonly starts: DeviceStarts[];
  readonly flights: Flight[];
  readonly receives: DeviceReceives[];
  /** When it found its battery empty. */
  readonly dies: DeviceDies[];
  /** When it became class A or C. */
  readonly switches: DeviceSwitchesClass[];
  /** When it was to reboot by command, with which what waits may go. */
  readonly rebootsAtUs: number[];
  /** When its power was off from, after all else of the instant. */
  readonly cutsAtUs: number[];
  /** Flights and what was received, in the order of the trace. */
  readonly events: (Flight | DeviceReceives)[];
}

export interface Story {
  readonly plan: NetworkPlan;
  readonly rows: readonly TraceRow[];
  readonly devices: ReadonlyMap<string, DeviceStory>;
  /** All lives under a name. */
  livesOf(name: string): readonly DeviceStory[];
  /** The life under a name that has started by `atUs`. */
  lifeAt(name: string, atUs: number): DeviceStory | undefined;
  readonly flights: readonly Flight[];
  readonly downlinks: readonly Downlink[];
  /** When a gateway is in service; one that comes back is called `name#2`, and so on. */
  gatewayLife(gateway: string): GatewayIncarnation;
  /** When something of a gateway's or a device's life had failed, in the order of time. */
  faultsOf(life: string, fault: FaultName): readonly FaultSpan[];
  /** By how much noise at a gateway had risen on a channel, 1/100 dB: powers add up. */
  noiseAt(gateway: string, frequencyHz: number, atUs: number): number;
  /** Time of the last row: what would end later has no end yet. */
  readonly endUs: number;
}

/** What fails of a gateway, or of a device. */
type FaultName = GatewayFails['fault'] | `device ${DeviceFails['fault']}`;

/** Complaints about a trace; `of` judges the story that was made of one. */
export interface Law {
  (rows: readonly TraceRow[], plan: NetworkPlan): string[];
  of(story: Story): string[];
}

/** Makes a law of a judgement of the story. */
export const law = (judge: (story: Story) => string[]): Law =>
  Object.assign((rows: readonly TraceRow[], plan: NetworkPlan) => judge(storyOf(rows, plan)), {
    of: judge,
  });

/** Puts a trace in order. Judging several laws by one story saves most of the work. */
export function storyOf(trace: readonly TraceRow[], plan: NetworkPlan): Story {
  const { rows, lives } = nameGatewayIncarnations(trace);
  const builder = new StoryBuilder();
  for (const row of rows) builder.add(row);
  return {
    plan,
    rows,
    devices: builder.devices,
    livesOf: (name) => builder.livesOf(name),
    lifeAt: (name, atUs) =>
      latest(builder.livesOf(name), ({ starts }) => starts[0]?.atUs ?? 0, atUs),
    flights: [...builder.devices.values()].flatMap(({ flights }) => flights),
    downlinks: [...builder.downlinks.values()],
    gatewayLife: (gateway) => lives.get(gateway) ?? ALWAYS,
    faultsOf: (life, fault) => builder.faults.get(`${fault} ${life}`) ?? [],
    noiseAt: (gateway, frequencyHz, atUs) => {
      const riseOf = (where: string) =>
        strengthAt(builder.faults.get(`noise${where} ${gateway}`) ?? [], atUs);
      const [everywhere, here] = [riseOf(''), riseOf(` ${frequencyHz}`)];
      return linearToCentiDb(centiDbToLinear(everywhere) + centiDbToLinear(here) - 1);
    },
    endUs: rows.at(-1)?.atUs ?? 0,
  };
}

/**
 * A fault begins and ends after all else of its instant: what happens at `fromUs` does not meet it,
 * what happens at `untilUs` does.
 */
export interface FaultSpan {
  readonly fromUs: number;
  untilUs: number;
  /** Of what weakens links, and of noise, 1/100 dB. */
  readonly centiDb: number;
}

/** Whether an instant lies in a fault. */
export const isIn = (spans: readonly FaultSpan[], atUs: number): boolean =>
  spans.some(({ fromUs, untilUs }) => fromUs < atUs && atUs <= untilUs);

/** How strong a fault was at an instant, 1/100 dB. */
export const strengthAt = (spans: readonly FaultSpan[], atUs: number): number =>
  spans.find((span) => isIn([span], atUs))?.centiDb ?? 0;

const ALWAYS = { fromUs: Number.NEGATIVE_INFINITY, untilUs: Number.POSITIVE_INFINITY };

/** When a flight begins, or what was received ends. */
export const timeOf = (event: Flight | DeviceReceives): number =>
  'fromUs' in event ? event.fromUs : event.atUs;

/** Whether a reboot was commanded by an instant: it waits for the message in hand. */
export const mayReboot = ({ rebootsAtUs }: DeviceStory, atUs: number): boolean =>
  rebootsAtUs.some((rebootAtUs) => rebootAtUs <= atUs);

const numberOf = ({ device, frame }: { readonly device: string; readonly frame: number }): string =>
  `${device} ${frame}`;

class StoryBuilder {
  readonly devices = new Map<string, DeviceStory>();
  readonly downlinks = new Map<string, Downlink>();
  /** By fault and gateway, or device. */
  readonly faults = new Map<string, FaultSpan[]>();
  /** Flights of a number under a name, one for each life that came so far. */
  readonly #flights = new Map<string, Flight[]>();
  readonly #lives = new Map<string, number>();
  readonly #livesOf = new Map<string, DeviceStory[]>();

  add(row: TraceRow): void {
    switch (row.kind) {
      case 'deviceStarts':
        this.#device(row.device).starts.push(row);
        break;
      case 'uplinkBegins':
        this.#begin(row);
        break;
      case 'uplinkEnds':
        this.#flights.get(numberOf(row))?.at(-1)?.ends.push(row);
        break;
      case 'receiveWindows':
        this.#flights.get(numberOf(row))?.at(-1)?.windows.push(row);
        break;
      case 'uplinkCollected':
        {
          // A device may be gone, and its name taken, before its last uplink is collected.
          const namesakes = this.#flights.get(numberOf(row)) ?? [];
          const ended = namesakes.findLast(
            ({ ends, collected }) =>
              collected.length === 0 &&
              ends.some(({ gateways }) => gateways.some(({ fate }) => fate === 'received')),
          );
          (ended ?? namesakes.at(-1))?.collected.push(row);
        }
        break;
      case 'deviceReceives':
        this.#device(row.device).receives.push(row);
        this.#device(row.device).events.push(row);
        break;
      case 'deviceDies':
        this.#device(row.device).dies.push(row);
        break;
      case 'deviceSwitchesClass':
        this.#device(row.device).switches.push(row);
        break;
      case 'devicePower':
        this.#device(row.device).cutsAtUs.push(...(row.on ? [] : [row.atUs]));
        break;
      case 'deviceReboots':
        this.#device(row.device).rebootsAtUs.push(row.atUs);
        break;
      case 'deviceFault':
        this.#fault(`device ${row.fault}`, this.#device(row.device).device, row);
        break;
      case 'deviceRemoved': {
        const last = this.#device(row.device).flights.at(-1);
        if (last !== undefined && last.ends.length === 0) last.brokenOffAtUs = row.atUs;
        this.#lives.set(row.device, (this.#lives.get(row.device) ?? 1) + 1);
        break;
      }
      case 'downlinkPlanned':
        this.#downlink(row).planned.push(row);
        break;
      case 'downlinkBegins': {
        const downlink = this.#downlink(row);
        downlink.begins.push(row);
        downlink.fromUs = row.atUs;
        downlink.untilUs = row.atUs + row.airtimeUs;
        break;
      }
      case 'downlinkEnds':
        this.#downlink(row).ends.push(row);
        break;
      case 'gatewayFault':
        this.#fault(row.fault, row.gateway, row);
        break;
      default:
    }
  }

  livesOf(name: string): readonly DeviceStory[] {
    return this.#livesOf.get(name) ?? [];
  }

  #fault(fault: FaultName, thing: string, row: GatewayFails | DeviceFails): void {
    const { on, atUs, centiDb = 0 } = row;
    const where = 'frequencyHz' in row ? ` ${row.frequencyHz}` : '';
    const key = `${fault}${where} ${thing}`;
    const spans = this.faults.get(key) ?? [];
    this.faults.set(key, spans);
    const last = spans.at(-1);
    if (last !== undefined) last.untilUs = Math.min(last.untilUs, atUs);
    if (on) spans.push({ fromUs: atUs, untilUs: Number.POSITIVE_INFINITY, centiDb });
  }

  #begin(row: UplinkBegins): void {
    const story = this.#device(row.device);
    const flight: Flight = {
      device: story.device,
      begins: row,
      fromUs: row.atUs,
      untilUs: row.atUs + row.airtimeUs,
      ends: [],
      windows: [],
      collected: [],
    };
    const namesakes = this.#flights.get(numberOf(row));
    if (namesakes === undefined) this.#flights.set(numberOf(row), [flight]);
    else namesakes.push(flight);
    story.flights.push(flight);
    story.events.push(flight);
  }

  #device(name: string): DeviceStory {
    const life = this.#lives.get(name) ?? 1;
    const device = life === 1 ? name : `${name}#${life}`;
    let story = this.devices.get(device);
    if (story === undefined) {
      const seen = { starts: [], flights: [], receives: [], dies: [], events: [] };
      story = { device, ...seen, switches: [], rebootsAtUs: [], cutsAtUs: [] };
      this.devices.set(device, story);
      const lives = this.#livesOf.get(name);
      if (lives === undefined) this.#livesOf.set(name, [story]);
      else lives.push(story);
    }
    return story;
  }

  #downlink({ gateway, downlink }: { readonly gateway: string; readonly downlink: number }) {
    const key = `${gateway} ${downlink}`;
    let known = this.downlinks.get(key);
    if (known === undefined) {
      const never = { fromUs: Number.NaN, untilUs: Number.NaN };
      known = { gateway, number: downlink, planned: [], begins: [], ends: [], ...never };
      this.downlinks.set(key, known);
    }
    return known;
  }
}

export interface Span {
  readonly fromUs: number;
  readonly untilUs: number;
}

/** µs that two spans share; 0 when they only touch. */
export function overlapUs(a: Span, b: Span): number {
  return Math.max(0, Math.min(a.untilUs, b.untilUs) - Math.max(a.fromUs, b.fromUs));
}

/** How many items are due by an instant; they come in the order of their times. */
export function countBy<Item>(
  items: readonly Item[],
  timeOf: (item: Item) => number,
  atUs: number,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timeOf(items[middle]!) <= atUs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last item that is due by an instant. */
export const latest = <Item>(
  items: readonly Item[],
  timeOf: (item: Item) => number,
  atUs: number,
): Item | undefined => items[countBy(items, timeOf, atUs) - 1];

/** The last flight that had ended by an instant. */
export const latestFlight = ({ flights }: DeviceStory, atUs: number): Flight | undefined =>
  latest(flights, ({ untilUs }) => untilUs, atUs);

/** Spans in the order of their begins, which finds those that meet another. */
export class Timeline<Item extends Span> {
  readonly sorted: readonly Item[];
  readonly #longestUs: number;

  constructor(items: readonly Item[]) {
    this.sorted = [...items].sort((a, b) => a.fromUs - b.fromUs);
    this.#longestUs = items.reduce((most, one) => Math.max(most, one.untilUs - one.fromUs), 0);
  }

  /** Items that share time with the span. */
  meeting(span: Span): Item[] {
    const first = this.#firstFrom(span.fromUs - this.#longestUs);
    const end = this.#firstFrom(span.untilUs);
    return this.sorted.slice(first, end).filter((one) => overlapUs(one, span) > 0);
  }

  /** Items that have begun at `atUs` and not ended. */
  at(atUs: number): Item[] {
    return this.meeting({ fromUs: atUs, untilUs: atUs + 0.5 });
  }

  /** Position of the first item that begins at or after `atUs`. */
  #firstFrom(atUs: number): number {
    let low = 0;
    let high = this.sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.sorted[middle]!.fromUs < atUs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Timelines of items by a key. */
export function timelines<Item extends Span>(
  items: readonly Item[],
  keyOf: (item: Item) => string | number,
): Map<string | number, Timeline<Item>> {
  const groups = new Map<string | number, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return new Map([...groups].map(([key, group]) => [key, new Timeline(group)]));
}

/** Of FSK, which has spreading factor 0, that of a byte at 50 kbit/s. */
export const symbolUs = (signal: { spreadingFactor: number; bandwidthHz: number }): number =>
  signal.spreadingFactor === 0 ? 160 : ((1 << signal.spreadingFactor) * 1e6) / signal.bandwidthHz;

/**
 * SF7 and slower begin with 8 symbols, SF5 and SF6 with 12, FSK with 5 bytes (docs/standard.md,
 * Time on air).
 */
export const preambleSymbols = (spreadingFactor: number): number =>
  spreadingFactor === 0 ? 5 : spreadingFactor < 7 ? 12 : 8;

/** A receiver needs five symbols of the preamble to lock (docs/standard.md, Receive windows). */
export const LOCK_SYMBOLS = 5;

/** Whether a window meets enough of the preamble of a frame that begins at `fromUs`. */
export function catches(window: WindowRow, fromUs: number): boolean {
  const preamble = {
    fromUs,
    untilUs: fromUs + preambleSymbols(window.spreadingFactor) * symbolUs(window),
  };
  const open = { fromUs: window.opensAtUs, untilUs: window.closesAtUs };
  return overlapUs(preamble, open) >= LOCK_SYMBOLS * symbolUs(window);
}

/**
 * Whether a window catches a frame that begins at `fromUs`, or another one so shortly before that
 * the receiver has not locked on it: the stronger takes it over. `begun` is asked for frames of the
 * last while.
 */
export function reaches(
  window: WindowRow,
  fromUs: number,
  begun: () => readonly DownlinkBegins[],
): boolean {
  if (catches(window, fromUs)) return true;
  const untilLockUs = (preambleSymbols(window.spreadingFactor) - LOCK_SYMBOLS) * symbolUs(window);
  const led = begun()
    .filter((one) => isTunedTo(window, one))
    .map(({ atUs }) => fromUs - atUs)
    .filter((aheadUs) => aheadUs > 0 && aheadUs < untilLockUs);
  return led.some((aheadUs) => reaches(window, fromUs - aheadUs, begun));
}

/** Whether a frame is sent as a window listens. */
export const isTunedTo = (
  window: WindowRow,
  frame: Pick<DownlinkBegins, 'frequencyHz' | 'spreadingFactor' | 'bandwidthHz'>,
): boolean =>
  window.frequencyHz === frame.frequencyHz &&
  window.spreadingFactor === frame.spreadingFactor &&
  window.bandwidthHz === frame.bandwidthHz;

/** Stands for the counter before the first: one less than 0, so that 0 follows it. */
export const NO_COUNTER = -1;

/** Whether an event of a device is an uplink. */
export const isFlight = (event: Flight | DeviceReceives): event is Flight => 'begins' in event;

/** Names a flight in a complaint. */
export const flightName = ({ device, begins }: Flight): string => `${device} frame ${begins.frame}`;

export const downlinkName = ({ gateway, number }: Downlink): string =>
  `${gateway} downlink ${number}`;

/** The class of a device at an instant, before what is commanded for it. */
export function classAt(story: Story, device: DeviceStory, atUs: number): 'A' | 'B' | 'C' {
  const last = latest(device.switches, (one) => one.atUs, atUs - 1);
  return last?.to ?? typeOf(story.plan, device.starts[0]?.device ?? '').deviceClass;
}

/** Whether the life under a name was of class C at an instant. */
export function isClassC(story: Story, name: string, atUs: number): boolean {
  const life = story.lifeAt(name, atUs);
  return life !== undefined && classAt(story, life, atUs) === 'C';
}
