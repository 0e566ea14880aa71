/**
 * What the standard asks of the network's side: when downlinks start, and which devices they reach.
 */
import type { DownlinkPlanned } from '../../../sim/observation/observer.ts';
import { knowledge, type MacSettings, NO_MAC_SETTINGS, settingsSent } from './mac-settings.ts';
import { gatewayOf } from './planned.ts';
import { REGULATIONS } from './regions.ts';
import {
  classAt,
  countBy,
  type DeviceStory,
  type Downlink,
  downlinkName,
  type Flight,
  flightName,
  isClassC,
  isIn,
  isTunedTo,
  latest,
  latestFlight,
  law,
  NO_COUNTER,
  reaches,
  type Story,
} from './story.ts';

const SECOND_US = 1_000_000;

/** Devices by DevEUI, all lives in the order of their starts. */
function byEui({ devices }: Story): Map<string, DeviceStory[]> {
  const found = new Map<string, DeviceStory[]>();
  for (const device of devices.values()) {
    for (const { devEui } of device.starts.slice(0, 1)) {
      const lives = found.get(devEui);
      if (lives === undefined) found.set(devEui, [device]);
      else lives.push(device);
    }
  }
  for (const lives of found.values()) lives.sort((a, b) => startOf(a) - startOf(b));
  return found;
}

const startOf = ({ starts }: DeviceStory): number => starts[0]!.atUs;

/**
 * The last uplink of a DevEUI that had ended when a downlink for it was planned; or the one before,
 * where that is due in its window: power was cut before its windows were over.
 */
function answeredFlight(row: DownlinkPlanned, lives: readonly DeviceStory[]) {
  for (let i = countBy(lives, startOf, row.atUs) - 1; i >= 0; i--) {
    const device = lives[i]!;
    const flight = latestFlight(device, row.atUs);
    if (flight === undefined) continue;
    const before = device.flights[device.flights.indexOf(flight) - 1];
    const isCut = before !== undefined && isCutFor(before, flight, row);
    return { device, flight: isCut ? before : flight };
  }
  return undefined;
}

const SHORTLY_US = 500_000;

/** Whether an uplink had windows to come when the next one began, one at about that time. */
function isCutFor({ windows }: Flight, next: Flight, { window, startsAtUs }: DownlinkPlanned) {
  const [last] = windows;
  if (last === undefined || last.rx2.closesAtUs <= next.fromUs) return false;
  const { opensAtUs } = window === 1 ? last.rx1 : last.rx2;
  return Math.abs(opensAtUs - startsAtUs) < SHORTLY_US;
}

/**
 * Whether MAC commands change the windows of a device: it listens in the new way before the server
 * has its answer.
 */
function mayDiffer({ starts }: DeviceStory, settings: MacSettings, { plan }: Story): boolean {
  const { rx1DrOffset, rx2DataRate, rx2FrequencyHz, txParamSetup } = plan.server;
  const { rx2 } = REGULATIONS[plan.region];
  if (rx2FrequencyHz !== undefined || txParamSetup !== undefined) return true;
  if (settings.rxParams.length + settings.dwells.length + settings.rx1Hz.length > 0) return true;
  return starts[0]?.activation === 'abp' && (rx1DrOffset > 0 || rx2DataRate !== rx2.dataRate);
}

/** What the network plans starts exactly when the window of the answered uplink is due. */
export const downlinksArePlannedForAWindow = law((story) => {
  const euis = byEui(story);
  const sent = settingsSent(story);
  return story.downlinks.flatMap(({ planned }) =>
    planned.flatMap((row) => {
      // Class C devices and groups are not sent to in a window.
      if (row.window === 0) return [];
      const name = `${row.gateway} downlink ${row.downlink}`;
      const answered = answeredFlight(row, euis.get(row.devEui) ?? []);
      if (answered === undefined) return [`${name} answers no uplink of ${row.devEui}`];
      const { device, flight } = answered;
      const asked = flight.begins.purpose === 'data' ? 'data' : 'join';
      if (asked !== row.purpose) return [`${name} answers ${flightName(flight)}`];
      const settings = sent.get(row) ?? NO_MAC_SETTINGS;
      const fixed = device.starts[0]?.activation === 'abp' ? [1] : [];
      // A delay that the server has asked for holds from the answer on, which it may not have.
      const asked1S = [story.plan.server.rx1DelayS, ...fixed, ...settings.delaysS];
      const delaysS = row.purpose === 'join' ? [5] : asked1S;
      const starts = delaysS.map((s) => flight.untilUs + (s + row.window - 1) * SECOND_US);
      if (!starts.includes(row.startsAtUs)) return [`${name} starts at ${row.startsAtUs}`];
      const windows = flight.windows[0];
      if (windows === undefined || mayDiffer(device, settings, story)) return [];
      const { frequencyHz, spreadingFactor, bandwidthHz } =
        row.window === 1 ? windows.rx1 : windows.rx2;
      const fits =
        row.frequencyHz === frequencyHz &&
        row.spreadingFactor === spreadingFactor &&
        row.bandwidthHz === bandwidthHz;
      return fits ? [] : [`${name} is not as RX${row.window} of ${flightName(flight)} listens`];
    }),
  );
});

/**
 * Outside windows and ping slots only class C devices are sent to; one in a 1.1 session announces
 * its class by DeviceModeInd, so that the server may be late to know.
 */
export const onlyClassCIsSentToAtOnce = law((story) => {
  const euis = byEui(story);
  return story.downlinks.flatMap(({ planned }) =>
    planned.flatMap((row) => {
      if (row.window !== 0 || row.purpose !== 'data' || row.pingSlot === true) return [];
      const life = latest(euis.get(row.devEui) ?? [], startOf, row.atUs);
      if (life !== undefined && wasClassC(story, life, row)) return [];
      return [`${row.gateway} downlink ${row.downlink} is for a device that is not of class C`];
    }),
  );
});

function wasClassC(story: Story, life: DeviceStory, { atUs, keys }: DownlinkPlanned): boolean {
  if (classAt(story, life, atUs) === 'C') return true;
  if (keys?.sNwkSIntKey === undefined) return false;
  const first = life.switches[0];
  if (first === undefined || first.atUs >= atUs) return false;
  if (classAt(story, life, first.atUs) === 'C') return true;
  return (life.switches.find(({ to }) => to === 'C')?.atUs ?? atUs) < atUs;
}

/** What a gateway sends was planned before, for that time, as it is sent. */
export const downlinksAreSentAsPlanned = law(({ downlinks }) =>
  downlinks.flatMap((downlink) =>
    downlink.begins.flatMap((begins) => {
      const [planned] = downlink.planned;
      const name = downlinkName(downlink);
      if (planned === undefined) return [`${name} was never planned`];
      if (planned.atUs > begins.atUs) return [`${name} is sent before it is planned`];
      if (planned.startsAtUs !== begins.atUs) return [`${name} is sent at ${begins.atUs}`];
      const keys = [
        'frequencyHz',
        'spreadingFactor',
        'bandwidthHz',
        'eirpCentiDbm',
        'airtimeUs',
        'phyBytes',
      ] as const;
      const other = keys.filter((key) => planned[key] !== begins[key]);
      return other.map((key) => `${name} is sent with another ${key}`);
    }),
  ),
);

/** A refused downlink is not sent, and a downlink is planned once. */
export const refusedDownlinksAreNotSent = law(({ rows, downlinks }) => {
  const refused = new Set(
    rows.flatMap((row) =>
      row.kind === 'downlinkRefused' ? [`${row.gateway} ${row.downlink}`] : [],
    ),
  );
  return downlinks.flatMap((downlink) => {
    const { gateway, number, begins, planned } = downlink;
    const twice = planned.length > 1 ? [`${downlinkName(downlink)} is planned twice`] : [];
    const isRefused = refused.has(`${gateway} ${number}`);
    return begins.length > 0 && isRefused ? [...twice, `${downlinkName(downlink)} is sent`] : twice;
  });
});

/**
 * FCntDown grows in a session and JoinNonce in a device's life, in the order of planning; what a
 * gateway refused was never sent, so it may be planned again. Copies of a multicast frame share
 * their group's counter.
 */
export const plannedCountersGrow = law(({ rows }) => {
  const euis = new Map<string, string>();
  const refused = new Set<string>();
  /** By DevEUI, then by counter. */
  const latestOf = new Map<string, Map<string, DownlinkPlanned>>();
  const complaints: string[] = [];
  for (const row of rows) {
    if (row.kind === 'deviceStarts') euis.set(row.device, row.devEui);
    if (row.kind === 'downlinkRefused') refused.add(`${row.gateway} ${row.downlink}`);
    if (row.kind === 'deviceRemoved') latestOf.delete(euis.get(row.device) ?? '');
    if (row.kind !== 'downlinkPlanned' || row.purpose === 'multicast') continue;
    if (row.purpose === 'beacon') continue;
    const counters = latestOf.get(row.devEui) ?? new Map<string, DownlinkPlanned>();
    latestOf.set(row.devEui, counters);
    const counter = `${row.purpose}${counterOf(row)}`;
    const key = `${row.devEui} ${counter}`;
    const before = counters.get(counter);
    counters.set(counter, row);
    if (row.purpose === 'join') counters.delete('data');
    if (before === undefined || row.counter > before.counter) continue;
    const isRepeated = row.counter === before.counter && row.phyPayload === before.phyPayload;
    if (isRepeated && refused.has(`${before.gateway} ${before.downlink}`)) continue;
    complaints.push(`${key}: ${row.counter} after ${before.counter}`);
  }
  return complaints;
});

/**
 * A session's frames begin on the air in the order of their counters: a device drops one below what
 * it has heard (LoRaWAN 1.0.4 §4.3.1.5), so what is overtaken is lost.
 */
export const countersGrowOnAir = law(({ rows }) => {
  const euis = new Map<string, string>();
  const planned = new Map<string, DownlinkPlanned>();
  const last = new Map<string, number>();
  const complaints: string[] = [];
  for (const row of rows) {
    if (row.kind === 'deviceStarts') euis.set(row.device, row.devEui);
    if (row.kind === 'deviceRemoved') {
      for (const key of last.keys())
        if (key.startsWith(`${euis.get(row.device)} `)) last.delete(key);
    }
    if (row.kind === 'downlinkPlanned') planned.set(`${row.gateway} ${row.downlink}`, row);
    if (row.kind !== 'downlinkBegins') continue;
    const name = `${row.gateway} ${row.downlink}`;
    const sent = planned.get(name);
    planned.delete(name);
    if (sent?.purpose !== 'data') continue;
    const key = `${sent.devEui} ${sent.keys?.nwkSKey}${counterOf(sent)}`;
    const before = last.get(key) ?? NO_COUNTER;
    last.set(key, Math.max(before, sent.counter));
    if (sent.counter <= before) complaints.push(`${key}: ${sent.counter} goes out after ${before}`);
  }
  return complaints;
});

/** A 1.1 session has two counters. It waits beside the one before it, under its own address. */
function counterOf({ keys, phyPayload }: DownlinkPlanned): string {
  if (keys?.sNwkSIntKey === undefined) return '';
  const portAt = 16 + 2 * (Number.parseInt(phyPayload.slice(10, 12), 16) & 15);
  const fPort = portAt < phyPayload.length - 8 ? phyPayload.slice(portAt, portAt + 2) : '00';
  return ` ${phyPayload.slice(2, 10)} ${fPort === '00' ? 'network' : 'application'}`;
}

/**
 * Who hears a downlink had a window open on its channel for five symbols of its preamble; class C
 * devices hear on the channel of RX2 at any time, class B devices in ping slots.
 */
export const downlinksAreHeardInAWindow = law((story) => {
  const known = knowledge(story);
  // Frequencies of RX2: the region's, and that of the server.
  const { frequencyHz } = REGULATIONS[story.plan.region].rx2;
  const frequencies = [frequencyHz, story.plan.server.rx2FrequencyHz ?? frequencyHz];
  /** Whether a frame is where class C listens: on RX2's channel, as planned or as commanded. */
  const isOnRx2 = (name: string, { begins, fromUs }: Downlink): boolean => {
    const hz = begins[0]?.frequencyHz ?? 0;
    if (frequencies.includes(hz)) return true;
    const flight = flightBefore(story, name, fromUs);
    const settings = flight === undefined ? NO_MAC_SETTINGS : known.get(flight)!.settings;
    return settings.rxParams.some(({ frequencyHz }) => frequencyHz === hz);
  };
  const inWindows = story.downlinks.filter(({ planned }) => planned[0]?.pingSlot !== true);
  return inWindows.flatMap((downlink) =>
    downlink.ends
      .flatMap(({ devices }) => devices)
      .filter(
        ({ device }) => !isClassC(story, device, downlink.fromUs) || !isOnRx2(device, downlink),
      )
      .filter(({ device }) => !listens(story, device, downlink))
      .map(({ device }) => `${device} hears ${downlinkName(downlink)} without a window`),
  );
});

/** The last uplink that had ended by an instant, of the device that bore the name then. */
function flightBefore(story: Story, name: string, atUs: number): Flight | undefined {
  const life = story.lifeAt(name, atUs);
  return life === undefined ? undefined : latestFlight(life, atUs);
}

/** Only the windows of a device's last uplink can be open. */
function listens(story: Story, name: string, { begins, fromUs }: Downlink): boolean {
  const [signal] = begins;
  if (signal === undefined) return false;
  const last = flightBefore(story, name, fromUs);
  const windows = (last?.windows ?? []).flatMap(({ rx1, rx2 }) => [rx1, rx2]);
  return windows.some(
    (window) =>
      isTunedTo(window, signal) && reaches(window, fromUs, () => begunBefore(story, fromUs)),
  );
}

/** Frames that began longer before another one have not led a receiver to it, µs. */
const LED_WITHIN_US = 2_000_000;

const begunBefore = ({ downlinks }: Story, atUs: number) =>
  downlinks
    .flatMap(({ begins }) => begins)
    .filter((one) => one.atUs < atUs && atUs - one.atUs < LED_WITHIN_US);

/** A device accepts only what ended at that moment, reached it, and was meant for it. */
export const acceptedFramesWereHeard = law((story) => {
  const complaints: string[] = [];
  const heard = new Map<string, Downlink>();
  for (const downlink of story.downlinks) {
    for (const { atUs, devices } of downlink.ends) {
      for (const { device, fate } of devices) {
        if (fate === 'received') heard.set(`${device} ${atUs}`, downlink);
      }
    }
  }
  // DevEUIs of all that bore a name.
  const euis = new Map<string, Set<string>>();
  for (const row of story.rows) {
    if (row.kind !== 'deviceStarts') continue;
    const known = euis.get(row.device);
    if (known === undefined) euis.set(row.device, new Set([row.devEui]));
    else known.add(row.devEui);
  }
  for (const row of story.rows) {
    if (row.kind !== 'deviceReceives') continue;
    const planned = heard.get(`${row.device} ${row.atUs}`)?.planned[0];
    const place = `${row.device} at ${row.atUs}`;
    if (planned === undefined) complaints.push(`${place} accepts what it did not hear`);
    else if (planned.counter !== row.counter || planned.purpose !== row.purpose) {
      complaints.push(`${place} accepts ${row.counter}, sent was ${planned.counter}`);
    } else if (euis.get(row.device)?.has(planned.devEui) !== true) {
      complaints.push(`${place} accepts what was meant for ${planned.devEui}`);
    }
  }
  return complaints;
});

/**
 * The server gathers each uplink at most once, from copies that gateways received and whose
 * backhaul was up.
 */
export const copiesWereReceived = law((story) =>
  story.flights.flatMap((flight) => {
    const name = flightName(flight);
    if (flight.collected.length === 0) return [];
    if (flight.collected.length > 1)
      return [`${name} is collected ${flight.collected.length} times`];
    const { copies, atUs } = flight.collected[0]!;
    const fates = flight.ends.flatMap(({ gateways }) => gateways);
    const received = fates.filter(
      ({ fate, gateway }) =>
        fate === 'received' && !isIn(story.faultsOf(gateway, 'backhaul'), flight.untilUs),
    ).length;
    if (atUs < flight.untilUs) return [`${name} is collected before it ends`];
    if (copies >= 1 && copies <= received) return [];
    return [`${name} has ${copies} copies of ${received} receptions`];
  }),
);

/** The longest time that a message adds to the latency of a backhaul. */
const LONGEST_WAY_US = 60 * SECOND_US;

/** What would reach a gateway while its backhaul is down is neither sent nor refused by it. */
export const downBackhaulsCarryNothing = law((story) => {
  const refused = new Set(
    story.rows.flatMap((row) =>
      row.kind === 'downlinkRefused' ? [`${row.gateway} ${row.downlink}`] : [],
    ),
  );
  return story.downlinks.flatMap((downlink) => {
    const { gateway, number, begins, planned } = downlink;
    const [row] = planned;
    const faults = story.faultsOf(gateway, 'backhaul');
    const backhaul = gatewayOf(story.plan, gateway)?.backhaul;
    // What a slow backhaul adds is not looked into.
    if (story.faultsOf(gateway, 'delay').length > 0) return [];
    if (faults.length === 0 || row === undefined || backhaul === undefined) return [];
    if (row.purpose === 'beacon') return [];
    const { latencyUs, jitterUs, spread } = backhaul;
    const soonestUs = row.atUs + Math.max(1, latencyUs);
    const latestUs = soonestUs + (spread === undefined ? jitterUs : LONGEST_WAY_US);
    const isLost = faults.some(({ fromUs, untilUs }) => fromUs < soonestUs && latestUs <= untilUs);
    if (!isLost || (begins.length === 0 && !refused.has(`${gateway} ${number}`))) return [];
    return [`${downlinkName(downlink)} reaches a gateway whose backhaul is down`];
  });
});
