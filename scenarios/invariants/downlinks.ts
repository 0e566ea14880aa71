/** What the standard asks of the network's side: when downlinks start, whom they reach. */
import type { DownlinkPlanned } from '../../sim/observer.ts';
import { REGULATIONS } from './regions.ts';
import {
  catches,
  classAt,
  type DeviceStory,
  type Downlink,
  downlinkName,
  type Flight,
  flightName,
  isClassC,
  law,
  type Story,
} from './story.ts';

const SECOND_US = 1_000_000;

/** Devices by DevEUI, all lives. */
function byEui({ devices }: Story): Map<string, DeviceStory[]> {
  const found = new Map<string, DeviceStory[]>();
  for (const device of devices.values()) {
    for (const { devEui } of device.starts.slice(0, 1)) {
      found.set(devEui, [...(found.get(devEui) ?? []), device]);
    }
  }
  return found;
}

/** The last uplink of a DevEUI that had ended when a downlink for it was planned. */
function answeredFlight(planned: DownlinkPlanned, devices: readonly DeviceStory[]) {
  let latest: { device: DeviceStory; flight: Flight } | undefined;
  for (const device of devices) {
    for (const flight of device.flights) {
      if (flight.untilUs > planned.atUs) continue;
      if (latest === undefined || latest.flight.untilUs < flight.untilUs)
        latest = { device, flight };
    }
  }
  return latest;
}

/**
 * Whether a RXParamSetupReq or a TxParamSetupReq changes the windows of a device: it listens in the
 * new way before the server has its answer.
 */
function mayDiffer({ starts }: DeviceStory, { plan }: Story): boolean {
  const { rx1DrOffset, rx2DataRate, rx2FrequencyHz, txParamSetup } = plan.server;
  const { rx2 } = REGULATIONS[plan.region];
  if (rx2FrequencyHz !== undefined || txParamSetup !== undefined) return true;
  return starts[0]?.activation === 'abp' && (rx1DrOffset > 0 || rx2DataRate !== rx2.dataRate);
}

/** What the network plans starts exactly when the window of the answered uplink is due. */
export const downlinksArePlannedForAWindow = law((story) => {
  const euis = byEui(story);
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
      const fixed = device.starts[0]?.activation === 'abp' ? [1] : [];
      const delaysS = row.purpose === 'join' ? [5] : [story.plan.server.rx1DelayS, ...fixed];
      const starts = delaysS.map((s) => flight.untilUs + (s + row.window - 1) * SECOND_US);
      if (!starts.includes(row.startsAtUs)) return [`${name} starts at ${row.startsAtUs}`];
      const windows = flight.windows[0];
      if (windows === undefined || mayDiffer(device, story)) return [];
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
 * Outside windows and ping slots only class C devices are sent to; one in a 1.1 session tells its
 * class by DeviceModeInd, so that the server may be late to know.
 */
export const onlyClassCIsSentToAtOnce = law((story) => {
  const euis = byEui(story);
  return story.downlinks.flatMap(({ planned }) =>
    planned.flatMap((row) => {
      if (row.window !== 0 || row.purpose !== 'data' || row.pingSlot === true) return [];
      const life = euis.get(row.devEui)?.findLast(({ starts }) => starts[0]!.atUs <= row.atUs);
      if (life !== undefined && wasClassC(story, life, row)) return [];
      return [`${row.gateway} downlink ${row.downlink} is for a device that is not of class C`];
    }),
  );
});

function wasClassC(story: Story, life: DeviceStory, { atUs, keys }: DownlinkPlanned): boolean {
  if (classAt(story, life, atUs) === 'C') return true;
  if (keys?.sNwkSIntKey === undefined) return false;
  const instants = life.switches.map((one) => one.atUs).filter((one) => one < atUs);
  return instants.some((one) => classAt(story, life, one) === 'C');
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
  const last = new Map<string, DownlinkPlanned>();
  const complaints: string[] = [];
  for (const row of rows) {
    if (row.kind === 'deviceStarts') euis.set(row.device, row.devEui);
    if (row.kind === 'downlinkRefused') refused.add(`${row.gateway} ${row.downlink}`);
    if (row.kind === 'deviceRemoved') {
      for (const key of last.keys())
        if (key.startsWith(`${euis.get(row.device)} `)) last.delete(key);
    }
    if (row.kind !== 'downlinkPlanned' || row.purpose === 'multicast') continue;
    if (row.purpose === 'beacon') continue;
    const key = `${row.devEui} ${row.purpose}${counterOf(row)}`;
    const before = last.get(key);
    last.set(key, row);
    if (row.purpose === 'join') last.delete(`${row.devEui} data`);
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
    const before = last.get(key) ?? -1;
    last.set(key, Math.max(before, sent.counter));
    if (sent.counter <= before) complaints.push(`${key}: ${sent.counter} goes out after ${before}`);
  }
  return complaints;
});

/** A 1.1 session has two counters, and waits beside the one before it: told by its address. */
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
export const downlinksAreHeardInAWindow = law((story) =>
  story.downlinks.filter(isNoPing).flatMap((downlink) =>
    downlink.ends
      .flatMap(({ devices }) => devices)
      .filter(
        ({ device }) =>
          !isClassC(story, device, downlink.fromUs) ||
          !rx2Frequencies(story).includes(downlink.begins[0]?.frequencyHz ?? 0),
      )
      .filter(({ device }) => !listens(story, device, downlink))
      .map(({ device }) => `${device} hears ${downlinkName(downlink)} without a window`),
  ),
);

const isNoPing = ({ planned }: Downlink): boolean => planned[0]?.pingSlot !== true;

/** Frequencies of RX2: the region's, and that of the server. */
const rx2Frequencies = ({ plan }: Story): number[] => {
  const { frequencyHz } = REGULATIONS[plan.region].rx2;
  return [frequencyHz, plan.server.rx2FrequencyHz ?? frequencyHz];
};

/** Only the windows of a device's last uplink can be open. */
function listens(story: Story, name: string, { begins, fromUs }: Downlink): boolean {
  const [signal] = begins;
  if (signal === undefined) return false;
  const last = story.lifeAt(name, fromUs)?.flights.findLast(({ untilUs }) => untilUs <= fromUs);
  const windows = (last?.windows ?? []).flatMap(({ rx1, rx2 }) => [rx1, rx2]);
  return windows.some(
    (window) =>
      window.frequencyHz === signal.frequencyHz &&
      window.spreadingFactor === signal.spreadingFactor &&
      window.bandwidthHz === signal.bandwidthHz &&
      catches(window, fromUs),
  );
}

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
  for (const row of story.rows) {
    if (row.kind !== 'deviceReceives') continue;
    const planned = heard.get(`${row.device} ${row.atUs}`)?.planned[0];
    const place = `${row.device} at ${row.atUs}`;
    if (planned === undefined) complaints.push(`${place} accepts what it did not hear`);
    else if (planned.counter !== row.counter || planned.purpose !== row.purpose) {
      complaints.push(`${place} accepts ${row.counter}, sent was ${planned.counter}`);
    } else if (!hasEui(story.livesOf(row.device), planned.devEui)) {
      complaints.push(`${place} accepts what was meant for ${planned.devEui}`);
    }
  }
  return complaints;
});

const hasEui = (lives: readonly DeviceStory[], devEui: string): boolean =>
  lives.some(({ starts }) => starts.some((start) => start.devEui === devEui));

/** The server gathers each uplink at most once, from copies that gateways received. */
export const copiesWereReceived = law(({ flights }) =>
  flights.flatMap((flight) => {
    const name = flightName(flight);
    if (flight.collected.length === 0) return [];
    if (flight.collected.length > 1)
      return [`${name} is collected ${flight.collected.length} times`];
    const { copies, atUs } = flight.collected[0]!;
    const fates = flight.ends.flatMap(({ gateways }) => gateways);
    const received = fates.filter(({ fate }) => fate === 'received').length;
    if (atUs < flight.untilUs) return [`${name} is collected before it ends`];
    if (copies >= 1 && copies <= received) return [];
    return [`${name} has ${copies} copies of ${received} receptions`];
  }),
);
