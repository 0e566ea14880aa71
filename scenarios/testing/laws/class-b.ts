/** What class B asks for: beacons on time, ping slots where they belong, silence around beacons. */
import { encryptWords, expandKey } from '../../../sim/lorawan/aes.ts';
import { gpsMsOfUnixMs } from '../../../sim/lorawan/gps-time.ts';
import type { DownlinkPlanned } from '../../../sim/observation/observer.ts';
import type { NetworkPlan } from '../../../sim/plan/network-plan.ts';
import { deviceOfEui, gatewayOf } from './planned.ts';
import {
  type Downlink,
  downlinkName,
  type Flight,
  isClassC,
  isIn,
  latest,
  law,
  overlapUs,
  type Story,
  symbolUs,
  Timeline,
  timelines,
} from './story.ts';

const SECOND_US = 1_000_000;
const PERIOD_US = 128 * SECOND_US;
/** A beacon begins so much after its period does (TBeaconDelay). */
const DELAY_US = 1_500;
const GUARD_US = 3 * SECOND_US;
const RESERVED_US = 2_120_000;
const SLOT_US = 30_000;
const BEACONLESS_US = 7_200 * SECOND_US;
/** The most that a frame lasts. */
const LONGEST_FRAME_US = 4 * SECOND_US;

const gpsStartUs = ({ startUnixMs }: NetworkPlan): number => gpsMsOfUnixMs(startUnixMs) * 1000;

const hasGps = ({ plan }: Story, gateway: string): boolean =>
  gatewayOf(plan, gateway)?.gps === true;

const isBeacon = ({ planned }: Downlink): boolean => planned[0]?.purpose === 'beacon';

/** Start of the beacon period that a GPS time in µs lies in. */
const periodOf = (gpsUs: number): number => Math.floor(gpsUs / PERIOD_US) * PERIOD_US;

/** Beacons come from gateways with GPS time, at its multiples of 128 s, and carry that time. */
export const beaconsAreOnTime = law((story) => {
  const startUs = gpsStartUs(story.plan);
  return story.downlinks.filter(isBeacon).flatMap((downlink) => {
    const name = downlinkName(downlink);
    if (!hasGps(story, downlink.gateway)) return [`${name} is a beacon without GPS time`];
    const [row] = downlink.planned as [DownlinkPlanned];
    const gpsUs = startUs + row.startsAtUs - DELAY_US;
    if (gpsUs % PERIOD_US !== 0) return [`${name} begins at GPS ${gpsUs} µs`];
    // Place of a beacon's time, after bytes that depend on its spreading factor (RP002-1.0.4).
    const timeAt = { 8: 1, 9: 2, 10: 3, 12: 5 }[row.spreadingFactor] ?? 2;
    const carried = littleEndian(row.phyPayload, timeAt, 4);
    return carried === gpsUs / SECOND_US ? [] : [`${name} carries the time ${carried}`];
  });
});

/** A gateway with GPS time leaves no beacon out while it is in service and its radio works. */
export const noBeaconIsLeftOut = law((story) => {
  const sent = new Set(
    story.downlinks
      .filter(isBeacon)
      .flatMap(({ gateway, begins }) => begins.map(({ atUs }) => `${gateway} ${atUs}`)),
  );
  const startUs = gpsStartUs(story.plan);
  const complaints: string[] = [];
  const gateways = new Set(
    story.rows.flatMap((row) => (row.kind === 'gatewayStarts' ? [row.gateway] : [])),
  );
  for (const gateway of gateways) {
    if (!hasGps(story, gateway)) continue;
    const life = story.gatewayLife(gateway);
    const endUs = Math.min(life.untilUs, story.endUs);
    let atUs = periodOf(startUs + Math.max(0, life.fromUs)) - startUs + DELAY_US;
    for (; atUs < endUs; atUs += PERIOD_US) {
      if (atUs <= Math.max(0, life.fromUs) || sent.has(`${gateway} ${atUs}`)) continue;
      if (isIn(story.faultsOf(gateway, 'radio'), atUs)) continue;
      complaints.push(`${gateway} sends no beacon at ${atUs}`);
    }
  }
  return complaints;
});

/** What a gateway with GPS time sends keeps clear of its beacons' reserved time and guard. */
export const beaconsAreKeptClear = law((story) => {
  const startUs = gpsStartUs(story.plan);
  return story.downlinks
    .filter((downlink) => !isBeacon(downlink) && downlink.begins.length > 0)
    .filter(({ gateway }) => hasGps(story, gateway))
    .filter(({ fromUs, untilUs }) => {
      const beaconUs = periodOf(startUs + fromUs) - startUs;
      const inReserved = fromUs < beaconUs + RESERVED_US;
      return inReserved || untilUs > beaconUs + PERIOD_US - GUARD_US;
    })
    .map((downlink) => `${downlinkName(downlink)} disturbs a beacon`);
});

/**
 * A device that looks for two beacons in a row begins no uplink around the second. That time begins
 * by the guard and the delays of its windows before it, and ends with its reserved time
 * (docs/decisions/0107). Once that beacon has begun, the device may have given up following: it
 * looks for the third, too, if it has not.
 */
export const uplinksKeepClearOfBeacons = law((story) => {
  const looked = new Set<string>();
  for (const row of story.rows) {
    if (row.kind === 'beaconDecided') looked.add(`${row.device} ${row.beacon}`);
  }
  if (looked.size === 0) return [];
  const startUs = gpsStartUs(story.plan);
  return story.flights.flatMap((flight) => {
    const { device, fromUs, untilUs } = flight;
    const reachUs = untilUs - fromUs + windowDelaysUs(flight) + GUARD_US;
    const periods = [fromUs, fromUs + reachUs].map((us) => periodOf(startUs + us));
    const met = periods.find((periodUs) => {
      const sinceUs = startUs + fromUs - periodUs;
      const beacon = periodUs / PERIOD_US;
      const beacons = [beacon - 1, beacon, ...(sinceUs < 0 ? [] : [beacon + 1])];
      const isLooking = beacons.every((each) => looked.has(`${device} ${each}`));
      return isLooking && sinceUs >= -reachUs && sinceUs < RESERVED_US && staysOn(story, flight);
    });
    return met === undefined ? [] : [`${device} sends at ${fromUs} around the beacon of ${met}`];
  });
});

/** From an uplink's end to its windows, both together; their margins are left out. */
function windowDelaysUs({ untilUs, windows }: Flight): number {
  const [row] = windows;
  if (row === undefined) return 0;
  const delays = [row.rx1, row.rx2].map(({ opensAtUs }) => (opensAtUs - untilUs) / SECOND_US);
  return SECOND_US * delays.reduce((sum, seconds) => sum + Math.round(seconds), 0);
}

/** Whether a device was neither switched, restarted nor brought back in the period before. */
function staysOn(story: Story, { device, fromUs }: Flight): boolean {
  return story.livesOf(device).every(({ starts, switches, rebootsAtUs, cutsAtUs }) => {
    const rows = [...starts, ...switches].map(({ atUs }) => atUs);
    const times = [...rows, ...rebootsAtUs, ...cutsAtUs];
    return times.every((atUs) => Math.abs(atUs - fromUs) > PERIOD_US);
  });
}

/** A frame in a ping slot begins in one of its address, at a gateway with GPS time. */
export const pingSlotsAreMet = law((story) => {
  const startUs = gpsStartUs(story.plan);
  return pings(story).flatMap((downlink) => {
    const [row] = downlink.planned as [DownlinkPlanned];
    const name = downlinkName(downlink);
    if (!hasGps(story, downlink.gateway)) return [`${name} is timed without GPS`];
    const address = littleEndian(row.phyPayload, 1, 4);
    const periodicity =
      story.plan.deviceTypes[deviceOfEui(story.plan, row.devEui)?.type ?? 0]!.pingSlotPeriodicity;
    if (isSlot(startUs + row.startsAtUs, address, periodicity)) return [];
    return [`${name} begins in no ping slot of ${address.toString(16)}`];
  });
});

/** A group in whose ping slots some device listens is sent to in its slots only. */
export const groupSlotsAreMet = law((story) => {
  const startUs = gpsStartUs(story.plan);
  const periodicities = new Map<number, number>();
  for (const row of story.rows) {
    if (row.kind !== 'multicastSessionOpens' || row.slots === undefined) continue;
    periodicities.set(row.mcAddr, row.slots.periodicity);
  }
  return story.downlinks.flatMap((downlink) => {
    const [row] = downlink.planned;
    if (row?.purpose !== 'multicast' || downlink.begins.length === 0) return [];
    const address = littleEndian(row.phyPayload, 1, 4);
    const periodicity = periodicities.get(address);
    if (periodicity === undefined) return [];
    if (isSlot(startUs + row.startsAtUs, address, periodicity)) return [];
    return [`${downlinkName(downlink)} begins in no ping slot of ${address.toString(16)}`];
  });
});

/** Who hears a group in a ping slot has heard a beacon in the 120 minutes before the slot. */
export const groupSlotsNeedBeacons = law((story) => {
  const heard = beaconsHeard(story);
  const inSlots = new Map<string, boolean>();
  const complaints: string[] = [];
  for (const row of story.rows) {
    if (row.kind === 'multicastSessionOpens') {
      inSlots.set(`${row.device} ${row.mcAddr}`, row.slots !== undefined);
    }
    if (row.kind !== 'multicastDecided' || row.fate !== 'heard') continue;
    if (inSlots.get(`${row.device} ${row.mcAddr}`) !== true) continue;
    const beaconUs = lastBefore(heard, row.device, row.endedAtUs);
    const near = row.endedAtUs - beaconUs <= BEACONLESS_US + LONGEST_FRAME_US;
    if (!near) complaints.push(`${row.device} hears ${row.fCnt} of ${row.mcAddr} without a beacon`);
  }
  return complaints;
});

/** Who misses a group's frame for want of a beacon has heard none in the 120 minutes before. */
export const noBeaconIsNone = law((story) => {
  const heard = beaconsHeard(story);
  return story.rows.flatMap((row) => {
    if (row.kind !== 'multicastDecided' || row.fate !== 'noBeacon') return [];
    const beaconUs = lastBefore(heard, row.device, row.endedAtUs - LONGEST_FRAME_US);
    const near = row.endedAtUs - beaconUs <= BEACONLESS_US;
    return near ? [`${row.device} has heard a beacon before ${row.fCnt} of ${row.mcAddr}`] : [];
  });
});

/**
 * Who loses a beacon or a group's frame to interference has met another signal than the frame's own
 * copies that began with it; where copies do not add up, those too.
 */
export const interferenceHasASource = law((story) => {
  const sent = story.downlinks.filter(({ begins }) => begins.length > 0);
  const air = new Timeline(sent);
  const byFrame = timelines(sent, frameName);
  return story.rows.flatMap((row) => {
    const name = lostFrame(row);
    if (name === undefined) return [];
    const all = byFrame.get(name)?.sorted ?? [];
    const { endedAtUs } = row as { readonly endedAtUs?: number };
    const last = all.filter(({ untilUs }) => endedAtUs === undefined || untilUs === endedAtUs);
    const copies = all.filter((one) => last.some((other) => overlapUs(one, other) > 0));
    if (copies.some((copy) => disturb(story, copy, air.meeting(copy), copies))) return [];
    return [`${name} is lost to interference where nothing else is on the air`];
  });
});

/** The frame that a row says was lost to interference, whatever gateway sent it. */
function lostFrame(row: Story['rows'][number]): string | undefined {
  if (row.kind === 'beaconDecided' && row.fate === 'interfered') return `beacon ${row.beganAtUs}`;
  if (row.kind !== 'multicastDecided' || row.fate !== 'interfered') return undefined;
  return `frame ${row.fCnt} of ${row.mcAddr}`;
}

function frameName({ planned, fromUs }: Downlink): string {
  const [row] = planned;
  if (row?.purpose === 'beacon') return `beacon ${fromUs}`;
  if (row?.purpose !== 'multicast') return '';
  return `frame ${row.counter & 0xffff} of ${littleEndian(row.phyPayload, 1, 4)}`;
}

/** Whether one of these signals disturbs a copy that has other copies. */
function disturb(
  { plan }: Story,
  copy: Downlink,
  meeting: readonly Downlink[],
  copies: readonly Downlink[],
): boolean {
  const { model, simultaneousCopies } = plan.radio.interference;
  const [begins] = copy.begins;
  if (begins === undefined || model === 'off') return false;
  return meeting.some((other) => {
    if (other === copy) return false;
    if (!copies.includes(other)) {
      return Math.abs(other.begins[0]!.frequencyHz - begins.frequencyHz) < WIDEST_HZ;
    }
    const isTogether = 4 * Math.abs(other.fromUs - copy.fromUs) <= symbolUs(begins);
    return simultaneousCopies === 'capture' || !isTogether;
  });
}

/** Signals whose carriers are this far apart do not disturb each other: the widest channel. */
const WIDEST_HZ = 500_000;

/** Who hears a ping slot, and not in class C, has heard a beacon in the 120 minutes before. */
export const pingSlotsNeedBeacons = law((story) => {
  const heard = beaconsHeard(story);
  return pings(story).flatMap((downlink) =>
    downlink.ends
      .flatMap(({ devices }) => devices)
      .filter(
        ({ device }) =>
          !isClassC(story, device, downlink.fromUs) &&
          downlink.fromUs - lastBefore(heard, device, downlink.fromUs) > BEACONLESS_US,
      )
      .map(({ device }) => `${device} hears ${downlinkName(downlink)} without a beacon`),
  );
});

/** When each device heard a beacon begin. */
function beaconsHeard(story: Story): Map<string, number[]> {
  const heard = new Map<string, number[]>();
  for (const row of story.rows) {
    if (row.kind !== 'beaconDecided' || row.fate !== 'heard') continue;
    const times = heard.get(row.device);
    if (times === undefined) heard.set(row.device, [row.beganAtUs]);
    else times.push(row.beganAtUs);
  }
  for (const times of heard.values()) times.sort((a, b) => a - b);
  return heard;
}

/** When the last beacon began that a device heard before an instant; −∞ when there was none. */
const lastBefore = (heard: Map<string, number[]>, device: string, beforeUs: number): number =>
  latest(heard.get(device) ?? [], (atUs) => atUs, beforeUs - 1) ?? Number.NEGATIVE_INFINITY;

/** Unicast frames in ping slots that went on the air. */
const pings = ({ downlinks }: Story): Downlink[] =>
  downlinks.filter(({ planned, begins }) => begins.length > 0 && planned[0]?.pingSlot === true);

/**
 * `Rand = E(0^16, time | address | 0^8)`; slot k is at 2.120 s + 30 ms · (offset + k · 2^(5 + p)),
 * where offset = (Rand[0] + 256 · Rand[1]) mod 2^(5 + p) (LoRaWAN 1.0.4 §11).
 */
function isSlot(gpsUs: number, address: number, periodicity: number): boolean {
  const beaconUs = periodOf(gpsUs);
  const block = Int32Array.of(swapped(beaconUs / SECOND_US), swapped(address), 0, 0);
  encryptWords(ZERO_KEY, block);
  const [word] = block as unknown as readonly [number];
  const bytes = [word >>> 24, (word >>> 16) & 255] as const;
  const every = 1 << (5 + periodicity);
  const offset = (bytes[0] + 256 * bytes[1]) % every;
  const slot = (gpsUs - beaconUs - RESERVED_US) / SLOT_US;
  return slot >= 0 && slot < 4096 && slot % every === offset;
}

const ZERO_KEY = expandKey(new Uint8Array(16));

/** Bytes of a 32-bit number in the order of the air, as one big-endian word. */
const swapped = (word: number): number =>
  [0, 8, 16, 24].reduce((out, shift) => (out << 8) | ((word >>> shift) & 255), 0);

function littleEndian(hex: string, at: number, count: number): number {
  let value = 0;
  for (let i = count - 1; i >= 0; i--) {
    value = value * 256 + Number.parseInt(hex.slice(2 * (at + i), 2 * (at + i) + 2), 16);
  }
  return value;
}
