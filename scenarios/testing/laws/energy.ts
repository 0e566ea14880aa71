/**
 * What devices draw, recomputed: every time that its radio was on, from the frames, windows and
 * sessions of the trace, at the currents of the plan. Parts of a time share it without overlap, and
 * sleep is the rest of a device's life.
 */
import { gpsMsOfUnixMs } from '../../../sim/lorawan/gps-time.ts';
import type {
  DeviceListens,
  DownlinkBegins,
  DownlinkEnds,
  DownlinkPlanned,
  EnergyDrawn,
  MulticastDecided,
  MulticastSessionOpens,
  ReceiveWindows,
  TraceRow,
  UplinkBegins,
  WindowRow,
} from '../../../sim/observation/observer.ts';
import type { EnergyPlan, NetworkPlan, WindowPlan } from '../../../sim/plan/network-plan.ts';
import { typeOf } from './planned.ts';
import {
  catches,
  isTunedTo,
  latest,
  law,
  overlapUs,
  preambleSymbols,
  reaches,
  type Span,
  symbolUs,
  Timeline,
} from './story.ts';

const PERIOD_US = 128_000_000;
/** A beacon begins so much after its period does (TBeaconDelay). */
const BEACON_DELAY_US = 1_500;
const BILLION = 1e9;
/** TS005 sets up groups 0 to 3; all others stand from the start. */
const MOST_MC_GROUP_ID = 3;
/** Longer than any frame and what may have led to it, µs. */
const FORGOTTEN_AFTER_US = 15_000_000;

/** One uplink, its windows as they turned out, and what answered it. */
interface Sent {
  readonly begins: UplinkBegins;
  readonly tx: Span;
  windows?: ReceiveWindows;
  /** RX2 is no window of its own, but part of what class C hears. */
  continuous: boolean;
  /** How long before each window the radio wakes, µs; 0 where it listens anyway. */
  wakeUpUs: number;
  rx1UntilUs: number;
  rx2UntilUs: number;
  answeredIn: 0 | 1 | 2;
  answeredAtUs: number;
}

/** A frame on the air. */
interface OnAir {
  readonly planned: DownlinkPlanned;
  begins?: DownlinkBegins;
}

/** One life of a device whose energy is counted. */
interface Life {
  readonly plan: EnergyPlan;
  readonly powerOnAtUs: number;
  readonly wakeUpUs: number;
  readonly sent: Sent[];
  readonly listens: DeviceListens[];
  /** By group address: whether its latest session was one of class B. */
  readonly inSlots: Map<number, boolean>;
  /** Class C groups that no session set up, by address; the lowest number has the radio. */
  readonly standing: Map<number, MulticastSessionOpens>;
  /** Time that frames in ping slots took beyond the windows' share, µs; of sessions apart. */
  slotFramesUs: number;
  sessionFramesUs: number;
  /** Addresses of class B groups that no session set up. */
  readonly standingSlots: Set<number>;
  readonly blocks: Map<number, { readonly nbFrag: number; readonly fragSize: number }>;
  flashBytes: number;
  reported?: EnergyDrawn;
}

type Joules = Record<string, number>;

/** Whenever a trace reports what a device has drawn, it is what the states of its radio cost. */
export const energyIsDrawn = law(({ rows, plan }) => {
  const account = new EnergyAccount(plan);
  for (const row of rows) account.add(row);
  return account.complaints;
});

class EnergyAccount {
  readonly complaints: string[] = [];
  readonly #plan: NetworkPlan;
  readonly #lives = new Map<string, Life>();
  readonly #onAir = new Map<string, OnAir>();
  /** Frames that began lately: one of them may have had a receiver before a stronger one. */
  #begun: DownlinkBegins[] = [];
  /** Air time of a group's frames by address, counter and end. */
  readonly #groupFrames = new Map<string, number>();

  constructor(plan: NetworkPlan) {
    this.#plan = plan;
  }

  add(row: TraceRow): void {
    const key = 'downlink' in row ? `${row.gateway} ${row.downlink}` : '';
    if (row.kind === 'downlinkPlanned') this.#onAir.set(key, { planned: row });
    else if (row.kind === 'downlinkBegins') this.#begin(key, row);
    else if (row.kind === 'downlinkEnds') this.#end(key, row);
    else if (row.kind === 'downlinkRefused') this.#onAir.delete(key);
    else if (row.kind === 'deviceStarts') {
      const { energy, windows } = typeOf(this.#plan, row.device);
      this.#lives.delete(row.device);
      if (energy !== undefined)
        this.#lives.set(row.device, newLife(energy, row.powerOnAtUs, windows));
    } else if ('device' in row) {
      const life = this.#lives.get(row.device);
      if (life !== undefined) this.#hearOf(life, row);
    }
  }

  #hearOf(life: Life, row: TraceRow): void {
    switch (row.kind) {
      case 'uplinkBegins':
        life.sent.push({
          begins: row,
          tx: { fromUs: row.atUs, untilUs: row.atUs + row.airtimeUs },
          continuous: false,
          wakeUpUs: 0,
          rx1UntilUs: 0,
          rx2UntilUs: 0,
          answeredIn: 0,
          answeredAtUs: Number.POSITIVE_INFINITY,
        });
        break;
      case 'receiveWindows':
        openWindows(life, row);
        break;
      case 'deviceListens':
        leaveClassC(life, row);
        life.listens.push(row);
        break;
      case 'multicastSessionOpens':
        life.inSlots.set(row.mcAddr, row.slots !== undefined);
        if (row.mcGroupId > MOST_MC_GROUP_ID) stand(life, row);
        break;
      case 'multicastSessionCloses':
        life.standing.delete(row.mcAddr);
        break;
      case 'multicastDecided':
        this.#takeGroupFrame(life, row);
        break;
      case 'fragmentationSessionBegins':
        life.blocks.set(row.fragIndex, row);
        break;
      case 'fragmentTaken': {
        const { nbFrag, fragSize } = life.blocks.get(row.fragIndex)!;
        life.flashBytes += fragSize * (row.completes ? 1 + nbFrag : 1);
        break;
      }
      case 'energyDrawn':
        life.reported = row;
        // Each uplink reports it; the longer a life, the more rarely it is recomputed.
        if (life.sent.length < 12 || isPowerOfTwo(life.sent.length)) this.#judge(life, row);
        break;
      case 'deviceDies':
      case 'devicePower':
      case 'deviceRemoved':
        if (life.reported !== undefined) this.#judge(life, life.reported);
        this.#lives.delete(row.device);
        break;
      default:
    }
  }

  #begin(key: string, row: DownlinkBegins): void {
    const frame = this.#onAir.get(key);
    if (frame !== undefined) frame.begins = row;
    this.#begun = this.#begun.filter(({ atUs }) => row.atUs - atUs < FORGOTTEN_AFTER_US);
    this.#begun.push(row);
  }

  #end(key: string, row: DownlinkEnds): void {
    const frame = this.#onAir.get(key);
    this.#onAir.delete(key);
    if (frame?.begins === undefined) return;
    const { planned, begins } = frame;
    if (planned.purpose === 'multicast') {
      const [mcAddr, fCnt] = [bytesAt(planned, 1, 4), bytesAt(planned, 6, 2)];
      this.#groupFrames.set(`${mcAddr} ${fCnt} ${row.atUs}`, begins.airtimeUs);
    }
    for (const { device, fate } of row.devices) {
      const life = this.#lives.get(device);
      if (life === undefined) continue;
      const inWindow = stretch(life, begins, row.atUs, this.#begun);
      if (planned.pingSlot === true && !inWindow) {
        life.slotFramesUs += beyondShareUs(life, begins.airtimeUs, row.atUs);
      } else if (fate === 'received' && planned.pingSlot !== true) answer(life, begins, row.atUs);
    }
  }

  #takeGroupFrame(life: Life, { mcAddr, fCnt, endedAtUs, fate }: MulticastDecided): void {
    const locks = ['heard', 'frameLoss', 'noise', 'interfered'].includes(fate);
    if (!locks || life.inSlots.get(mcAddr) !== true) return;
    const airtimeUs = this.#groupFrames.get(`${mcAddr} ${fCnt} ${endedAtUs}`) ?? Number.NaN;
    const us = beyondShareUs(life, airtimeUs, endedAtUs);
    if (life.standingSlots.has(mcAddr)) life.slotFramesUs += us;
    else life.sessionFramesUs += us;
  }

  #judge(life: Life, { device, atUs, joules }: EnergyDrawn): void {
    if (this.#isCaughtNow(life)) return;
    const gpsStartUs = gpsMsOfUnixMs(this.#plan.startUnixMs) * 1000;
    const { expected, roundingJ } = drawn(life, atUs, gpsStartUs);
    const traced: Readonly<Record<string, number>> = joules;
    for (const cause of new Set([...Object.keys(expected), ...Object.keys(traced)])) {
      const [want, reported] = [expected[cause] ?? 0, traced[cause] ?? 0];
      if (Math.abs(want - reported) <= 1e-9 * (1 + Math.abs(want)) + roundingJ) continue;
      this.complaints.push(
        `${device} reports ${reported} J of ${cause} at ${atUs}, which is ${want} J`,
      );
    }
  }

  /** Whether a window may hold a frame now, before the trace shows its receivers. */
  #isCaughtNow({ sent }: Life): boolean {
    const windows = sent.at(-1)?.windows;
    if (windows === undefined) return false;
    return [...this.#onAir.values()].some(
      ({ begins }) =>
        begins !== undefined && (caught(windows.rx1, begins) || caught(windows.rx2, begins)),
    );
  }
}

const newLife = (plan: EnergyPlan, powerOnAtUs: number, windows?: WindowPlan): Life => ({
  wakeUpUs: 1000 * (windows?.stack === 'LBM' ? windows.boardDelayMs : (windows?.wakeUpMs ?? 0)),
  plan,
  powerOnAtUs,
  sent: [],
  listens: [],
  inSlots: new Map(),
  standing: new Map(),
  blocks: new Map(),
  slotFramesUs: 0,
  sessionFramesUs: 0,
  standingSlots: new Set(),
  flashBytes: 0,
});

/** Number of a frame's bytes, the first one least significant. */
const bytesAt = ({ phyPayload }: DownlinkPlanned, at: number, count: number): number =>
  Array.from({ length: count }, (_, i) =>
    Number.parseInt(phyPayload.slice(2 * (at + i), 2 * (at + i) + 2), 16),
  ).reduceRight((sum, byte) => sum * 256 + byte, 0);

// ── windows ──────────────────────────────────────────────────────────────────────────────────────

function openWindows(life: Life, windows: ReceiveWindows): void {
  const last = life.sent.at(-1);
  if (last === undefined) return;
  last.windows = windows;
  // What has changed in this instant holds for these windows.
  const to = listeningTo(life, windows.atUs + 1);
  last.continuous = to === 'classC' && !servesOtherChannel(life, windows.rx2);
  if (to === 'sleep') last.wakeUpUs = life.wakeUpUs;
  last.rx1UntilUs = windows.rx1.closesAtUs;
  last.rx2UntilUs = windows.rx2.closesAtUs;
}

/** A device that listens to a group on another channel leaves it for RX2. */
function servesOtherChannel({ standing }: Life, rx2: WindowRow): boolean {
  const [first] = [...standing.values()].sort((a, b) => a.mcGroupId - b.mcGroupId);
  return first !== undefined && !isTunedTo(rx2, first);
}

/** A group opens that no session set up. */
function stand({ standing, standingSlots }: Life, row: MulticastSessionOpens): void {
  if (row.slots === undefined) standing.set(row.mcAddr, row);
  else standingSlots.add(row.mcAddr);
}

/** What the radio did besides, just before an instant. */
const listeningTo = (life: Life, atUs: number): DeviceListens['to'] =>
  heldBefore(life, atUs)?.to ?? 'sleep';

/** A device that is of class C no more has an RX2 that is still to come. */
function leaveClassC(life: Life, { to, fromUs }: DeviceListens): void {
  const last = life.sent.at(-1);
  if (last?.windows === undefined || !last.continuous || to === 'classC') return;
  const isOver = last.windows.rx2.closesAtUs <= fromUs || last.answeredAtUs <= fromUs;
  if (!isOver) last.continuous = false;
}

const caught = (window: WindowRow, begins: DownlinkBegins): boolean =>
  isTunedTo(window, begins) && catches(window, begins.atUs);

/** Whether a frame begins while a window is open, or soon enough before. */
function isMet(window: WindowRow, begins: DownlinkBegins): boolean {
  const preambleUs = preambleSymbols(begins.spreadingFactor) * symbolUs(begins);
  return begins.atUs + preambleUs > window.opensAtUs && begins.atUs < window.closesAtUs;
}

/** A window lasts as long as the frame that it caught; false when none caught it. */
function stretch(
  life: Life,
  begins: DownlinkBegins,
  endUs: number,
  begun: readonly DownlinkBegins[],
): boolean {
  const last = life.sent.at(-1);
  if (last?.windows === undefined || last.answeredAtUs <= begins.atUs) return false;
  const isReached = (window: WindowRow) =>
    isTunedTo(window, begins) && reaches(window, begins.atUs, () => begun);
  if (isReached(last.windows.rx1)) {
    last.rx1UntilUs = Math.max(last.rx1UntilUs, endUs);
    return true;
  }
  if (listeningTo(life, begins.atUs) === 'classC' || !isReached(last.windows.rx2)) return false;
  last.rx2UntilUs = Math.max(last.rx2UntilUs, endUs);
  return true;
}

/** A frame for the device ends its windows, unless class C has heard it between them. */
function answer(life: Life, begins: DownlinkBegins, endUs: number): void {
  const last = life.sent.at(-1);
  if (last?.windows === undefined || last.answeredIn !== 0) return;
  const { rx1, rx2 } = last.windows;
  if (listeningTo(life, endUs) === 'classC' && isTunedTo(rx2, begins)) {
    const isInRx1 = isTunedTo(rx1, begins) && isMet(rx1, begins);
    if (!isInRx1 && !isMet(rx2, begins)) return;
  }
  last.answeredIn = begins.atUs < rx1.closesAtUs ? 1 : 2;
  last.answeredAtUs = endUs;
}

/** Transmission, RX1 and RX2 until an instant. */
function busy({ tx, windows, ...sent }: Sent, untilUs: number): readonly [Span, Span, Span] {
  const cut = ({ fromUs, untilUs: end }: Span): Span => ({
    fromUs,
    untilUs: Math.max(fromUs, Math.min(end, untilUs)),
  });
  const none = { fromUs: tx.untilUs, untilUs: tx.untilUs };
  if (windows === undefined) return [cut(tx), none, none];
  const rx1UntilUs = Math.min(sent.rx1UntilUs, sent.answeredAtUs);
  const rx1 = { fromUs: windows.rx1.opensAtUs, untilUs: rx1UntilUs };
  const rx2FromUs = Math.max(windows.rx2.opensAtUs, rx1UntilUs);
  const rx2 = { fromUs: rx2FromUs, untilUs: Math.min(sent.rx2UntilUs, sent.answeredAtUs) };
  return [cut(tx), cut(rx1), sent.continuous ? none : cut(rx2)];
}

/** When the radio wakes for its windows, not before what it did last; until an instant. */
function waking(sent: Sent, untilUs: number): Span[] {
  const [tx, rx1, rx2] = busy(sent, Number.POSITIVE_INFINITY);
  const before = (window: Span, freeAtUs: number): Span[] => {
    const fromUs = Math.max(window.fromUs - sent.wakeUpUs, freeAtUs);
    if (window.untilUs <= window.fromUs || fromUs >= untilUs) return [];
    return [{ fromUs, untilUs: Math.min(window.fromUs, untilUs) }];
  };
  return [...before(rx1, tx.untilUs), ...before(rx2, rx1.untilUs)];
}

const isPowerOfTwo = (count: number): boolean => (count & (count - 1)) === 0;

// ── class B ──────────────────────────────────────────────────────────────────────────────────────

/** What held just before an instant. */
const heldBefore = ({ listens }: Life, atUs: number): DeviceListens | undefined =>
  latest(listens, ({ fromUs }) => fromUs, atUs - 1);

/** Time that listening took of sleep besides the windows of slots, which cost their share. */
function beyondShareUs(life: Life, us: number, endUs: number): number {
  const held = heldBefore(life, endUs);
  if (held !== undefined && held.to !== 'sleep') return 0;
  return us - Math.round((us * (held?.slotPpb ?? 0)) / BILLION);
}

/** Looks for beacons that were over by `untilUs`, while the radio was free for them. */
function beaconLooksUs(life: Life, untilUs: number, gpsStartUs: number): number {
  const spans = new Timeline(life.sent.flatMap((sent) => busy(sent, untilUs)));
  let sumUs = 0;
  let number = Math.floor((gpsStartUs + life.powerOnAtUs) / PERIOD_US);
  for (;;) {
    const fromUs = number++ * PERIOD_US + BEACON_DELAY_US - gpsStartUs;
    if (fromUs >= untilUs) return sumUs;
    const look = heldBefore(life, fromUs)?.beacons;
    if (look === undefined || fromUs < look.fromUs) continue;
    const span = { fromUs, untilUs: fromUs + look.airtimeUs };
    if (span.untilUs >= untilUs || heldBefore(life, span.untilUs)?.beacons === undefined) continue;
    if (spans.meeting(span).length > 0) continue;
    sumUs += beyondShareUs(life, look.airtimeUs, span.untilUs);
  }
}

// ── sums ─────────────────────────────────────────────────────────────────────────────────────────

/** What lies in the background, µs: by what it listens to, and ping slots of what it sleeps. */
function backgrounds({ listens, sent }: Life, untilUs: number) {
  const spans = new Timeline(
    sent.flatMap((one) => [...busy(one, untilUs), ...waking(one, untilUs)]),
  );
  const sums = { sleep: 0, classC: 0, multicast: 0, beacon: 0, ping: 0 };
  for (const [i, { to, sinceUs, slotPpb, sessionPpb }] of listens.entries()) {
    const span = { fromUs: sinceUs, untilUs: Math.min(listens[i + 1]?.fromUs ?? untilUs, untilUs) };
    if (span.untilUs <= span.fromUs) continue;
    const busyUs = spans.meeting(span).reduce((sum, one) => sum + overlapUs(one, span), 0);
    const us = span.untilUs - span.fromUs - busyUs;
    sums[to] += us;
    if (to !== 'sleep') continue;
    sums.ping += (us * (slotPpb - sessionPpb)) / BILLION;
    sums.multicast += (us * sessionPpb) / BILLION;
  }
  return sums;
}

function drawn(life: Life, atUs: number, gpsStartUs: number) {
  const { plan, sent } = life;
  const joule = (us: number, microAmp: number) => us * microAmp * plan.supplyMilliVolt * 1e-15;
  const us: Record<string, number> = { classC: 0, multicast: 0, beacon: 0, ping: 0 };
  const expected: Joules = { uplink: 0, join: 0 };
  let [txUs, wakeUs] = [0, 0];
  for (const one of sent) {
    const [tx, rx1, rx2] = busy(one, atUs).map((span) => span.untilUs - span.fromUs);
    const cause = one.begins.purpose === 'join' ? 'join' : 'uplink';
    add(expected, cause, joule(tx!, txMicroAmp(plan, one.begins.eirpCentiDbm)));
    txUs += tx!;
    wakeUs += waking(one, atUs).reduce((sum, { fromUs, untilUs }) => sum + untilUs - fromUs, 0);
    add(us, one.answeredIn === 1 ? 'rx1Frame' : 'rx1InVain', rx1!);
    add(us, one.answeredIn === 2 ? 'rx2Frame' : 'rx2InVain', Math.max(0, rx2!));
  }
  const besides = backgrounds(life, atUs);
  us.classC = besides.classC;
  us.multicast = besides.multicast + life.sessionFramesUs;
  us.beacon = besides.beacon + beaconLooksUs(life, atUs, gpsStartUs);
  us.ping = besides.ping + life.slotFramesUs;
  for (const [cause, time] of Object.entries(us)) expected[cause] = joule(time, plan.rxMicroAmp);
  const onUs = Object.values(us).reduce((sum, one) => sum + one, txUs + wakeUs);
  const aliveUs = Math.max(0, atUs - life.powerOnAtUs);
  expected.sleep = joule(aliveUs - onUs, plan.sleepNanoAmp / 1000);
  const awake = joule(plan.awakeUs, plan.mcuMicroAmp + plan.standbyMicroAmp);
  expected.mcu = sent.length * awake + joule(wakeUs, plan.standbyMicroAmp);
  expected.flash = (life.flashBytes / 1024) * plan.flashMicroJoulePerKib * 1e-6;
  // Sums are stored in whole µs and nC.
  const roundings = 2 + 2 * sent.length + life.listens.length;
  const largest = Math.max(plan.rxMicroAmp, plan.sleepNanoAmp / 1000, 1000);
  return { expected, roundingJ: roundings * joule(1, largest) };
}

const add = (sums: Record<string, number>, cause: string, us: number): void => {
  sums[cause] = (sums[cause] ?? 0) + us;
};

/** On the line between the two points of the chip's table around the conducted power. */
function txMicroAmp({ txMicroAmp: points, antennaGainCentiDb }: EnergyPlan, eirp: number): number {
  const power = eirp - antennaGainCentiDb;
  const [first, last] = [points[0]!, points.at(-1)!];
  if (power <= first.centiDbm) return first.microAmp;
  if (power >= last.centiDbm) return last.microAmp;
  const above = points.findIndex(({ centiDbm }) => centiDbm >= power);
  const [a, b] = [points[above - 1]!, points[above]!];
  const slope = (b.microAmp - a.microAmp) / (b.centiDbm - a.centiDbm);
  return Math.round(a.microAmp + (power - a.centiDbm) * slope);
}
