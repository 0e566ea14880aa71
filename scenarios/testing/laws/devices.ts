/** What the standard asks of a device: order, waiting, counters, windows (LoRaWAN 1.0.4). */
import type { WindowRow } from '../../../sim/observation/observer.ts';
import { waitUs } from './clocks.ts';
import { knowledge, type MacSettings } from './mac-settings.ts';
import { deviceOf, typeOf } from './planned.ts';
import { downlinkRate, REGULATIONS, type Regulation, uplinkRate } from './regions.ts';
import {
  catches,
  classAt,
  type DeviceStory,
  downlinkName,
  type Flight,
  flightName,
  isFlight,
  latest,
  law,
  leavesAirAtUs,
  NO_COUNTER,
  type Story,
  symbolUs,
  timelines,
} from './story.ts';

const SECOND_US = 1_000_000;
const HOUR_US = 3600 * SECOND_US;
const DAY_US = 24 * HOUR_US;

/** Applies a judgement to each device. */
const ofEachDevice = (judge: (device: DeviceStory, story: Story) => string[]) =>
  law((story) => ofDevices(story, (device) => judge(device, story)));

const ofDevices = ({ devices }: Story, judge: (device: DeviceStory) => string[]): string[] =>
  [...devices.values()].flatMap(judge);

/** A device starts once, and does nothing before its power-on. */
export const devicesStartOnce = ofEachDevice(({ device, starts, flights, receives }) => {
  if (starts.length !== 1) return [`${device} starts ${starts.length} times`];
  const { atUs: registeredAtUs, powerOnAtUs } = starts[0]!;
  if (powerOnAtUs < registeredAtUs) return [`${device} is on before it comes into the network`];
  const acts = [...flights.map(({ fromUs }) => fromUs), ...receives.map(({ atUs }) => atUs)];
  return acts.some((atUs) => atUs < powerOnAtUs) ? [`${device} acts before it is on`] : [];
});

/** A device sends one frame at a time, and what it receives it does not receive while sending. */
export const devicesAreHalfDuplex = law((story) => {
  // Who bears a name may be removed while it sends, and another be set up under the name at once.
  const sent = timelines(
    story.flights.map((flight) => {
      const { fromUs, begins } = flight;
      return { flight, name: begins.device, fromUs, untilUs: leavesAirAtUs(flight) };
    }),
    ({ name }) => name,
  );
  const twice = [...sent.values()].flatMap((own) =>
    own.sorted
      .filter((span) => own.meeting(span).length > 1)
      .map(({ flight }) => `${flightName(flight)} overlaps another`),
  );
  const deaf = story.downlinks.flatMap((downlink) =>
    downlink.ends
      .flatMap(({ devices }) => devices)
      .filter(({ device }) => (sent.get(device)?.meeting(downlink) ?? []).length > 0)
      .map(({ device }) => `${device} hears ${downlinkName(downlink)} while it sends`),
  );
  return [...twice, ...deaf];
});

/**
 * Seconds from the end of an uplink to RX1: what RXTimingSetupReq said last, else what the join
 * accept did; 1 for a device that never joined.
 */
function rx1DelayS(
  { starts }: DeviceStory,
  { begins }: Flight,
  settings: MacSettings,
  { plan }: Story,
) {
  if (begins.purpose !== 'data') return 5;
  const joined = starts[0]?.activation === 'otaa';
  return settings.delaysS.at(-1) ?? (joined ? plan.server.rx1DelayS : 1);
}

/** How early a window may open before its downlink, µs: what the stacks allow for at most. */
const EARLIEST_US = 400_000;
const FEWEST_SYMBOLS = 6;
/** Shorter symbols than this are below what the stacks' formulas resolve, µs. */
const ROUNDED_US = 1_000;
/** LBM's longest search for a preamble. */
const MOST_SYMBOLS = 248;

/**
 * Whether a window fits a downlink that would begin at `nominalUs`, when the device's clock has
 * counted the delay. A clock that is too wrong may miss one that begins in true time.
 */
function windowComplaint(window: WindowRow, nominalUs: number) {
  const symbols = (window.closesAtUs - window.opensAtUs) / symbolUs(window);
  if (symbols < FEWEST_SYMBOLS - 0.01) return `is open for ${symbols} symbols`;
  const isLong = window.closesAtUs - window.opensAtUs > 2 * EARLIEST_US;
  if (symbols > MOST_SYMBOLS && isLong) return `is open for ${symbols} symbols`;
  if (window.opensAtUs < nominalUs - EARLIEST_US) return `opens at ${window.opensAtUs}`;
  // Formulas in whole milliseconds may miss a preamble of two (500 kHz, FSK) by themselves.
  if (symbolUs(window) < ROUNDED_US) return undefined;
  if (!catches(window, nominalUs)) return `misses a downlink in its time`;
  return undefined;
}

/** RX1 opens when its delay (join: 5 s) is over by the device's clock, RX2 one second later. */
export const windowsOpenInTime = law((story) => {
  const known = knowledge(story);
  return ofDevices(story, (device) =>
    device.flights.flatMap((flight) => {
      const name = flightName(flight);
      const { windows, untilUs, ends } = flight;
      if (windows.length === 0 && ends.length === 0) return [];
      if (windows.length === 0) return [`${name} opens no windows`];
      if (windows.length > 1) return [`${name} opens its windows twice`];
      const { rx1, rx2 } = windows[0]!;
      const delayS = rx1DelayS(device, flight, known.get(flight)!.settings, story);
      return [rx1, rx2].flatMap((window, i) => {
        const delayUs = (delayS + i) * SECOND_US;
        const nominalUs = untilUs + waitUs(device, story, untilUs, delayUs);
        const complaint = windowComplaint(window, nominalUs);
        return complaint === undefined ? [] : [`RX${i + 1} of ${name} ${complaint}`];
      });
    }),
  );
});

/** A radio does one thing at a time: it sends, listens in RX1, then in RX2; they never overlap. */
export const radiosDoOneThing = ofEachDevice(({ flights }) =>
  flights.flatMap((flight) =>
    flight.windows.flatMap(({ rx1, rx2 }) => {
      const name = flightName(flight);
      const wrong: string[] = [];
      if (rx1.opensAtUs < flight.untilUs) wrong.push(`RX1 of ${name} opens while it sends`);
      if (rx2.opensAtUs < rx1.closesAtUs) wrong.push(`RX2 of ${name} opens before RX1 closes`);
      return wrong;
    }),
  ),
);

/** A device whose battery is empty sends nothing and receives nothing any more. */
export const emptyBatteriesAreSilent = ofEachDevice(({ device, dies, flights, receives }) => {
  const diedAtUs = dies[0]?.atUs ?? Number.POSITIVE_INFINITY;
  // It is found out before the device sends; what it received in this instant came before.
  const late =
    flights.find(({ fromUs }) => fromUs >= diedAtUs)?.fromUs ??
    receives.find(({ atUs }) => atUs > diedAtUs)?.atUs;
  return late === undefined ? [] : [`${device} acts at ${late}, and died at ${diedAtUs}`];
});

/** Offsets of RX1, and RX2's settings, that a device may have after a join request or data. */
function windowSettings(
  region: Regulation,
  purpose: 'join' | 'data',
  settings: MacSettings,
  { plan }: Story,
) {
  const { rx1DrOffset, rx2DataRate, rx2FrequencyHz = region.rx2.frequencyHz } = plan.server;
  const { dataRate, frequencyHz } = region.rx2;
  if (purpose === 'join') return { offsets: [0], rates: [dataRate], hz: [frequencyHz] };
  // Until a RXParamSetupReq a session has the settings of its join accept, or none.
  return {
    offsets: [rx1DrOffset, 0, ...settings.rxParams.map((one) => one.rx1DrOffset)],
    rates: [rx2DataRate, dataRate, ...settings.rxParams.map((one) => one.dataRate)],
    hz: [rx2FrequencyHz, frequencyHz, ...settings.rxParams.map((one) => one.frequencyHz)],
  };
}

/** Dwell time limits of downlinks that may hold: the region's, or those of TxParamSetupReq. */
const downlinkDwells = (
  region: Regulation,
  { dwells }: MacSettings,
  { plan }: Story,
): boolean[] => [
  region.dwell.down,
  plan.server.txParamSetup?.downlinkDwell ?? region.dwell.down,
  ...dwells.map(({ down }) => down),
];

/** RX1 is where and as fast as the region has it after the uplink, RX2 as the server wants it. */
export const windowsAreWhereTheRegionSays = law((story) => {
  const known = knowledge(story);
  return story.flights.flatMap((flight) =>
    flight.windows.flatMap(({ rx1, rx2, purpose }) => {
      const region = REGULATIONS[story.plan.region];
      const { settings } = known.get(flight)!;
      const { offsets, rates, hz } = windowSettings(region, purpose, settings, story);
      const up = uplinkRate(region, flight.begins);
      const wrong: string[] = [];
      const rx1Hz = [region.rx1Hz(flight.begins.frequencyHz), ...settings.rx1Hz];
      if (!rx1Hz.includes(rx1.frequencyHz)) wrong.push(`RX1 at ${rx1.frequencyHz} Hz`);
      if (!hz.includes(rx2.frequencyHz)) wrong.push(`RX2 at ${rx2.frequencyHz} Hz`);
      const down = downlinkRate(region, rx1);
      const fits = (dwell: boolean) => offsets.some((n) => down === region.rx1(up, n, dwell));
      if (!downlinkDwells(region, settings, story).some(fits)) {
        wrong.push(`RX1 at DR${down} after DR${up}`);
      }
      const second = downlinkRate(region, rx2);
      if (!rates.includes(second)) wrong.push(`RX2 at DR${second}`);
      return wrong.map((what) => `${flightName(flight)} has ${what}`);
    }),
  );
});

/** No uplink begins before a downlink was accepted after the one before, or its RX2 has closed. */
export const devicesWaitForTheirWindows = ofEachDevice(({ flights, receives, cutsAtUs }) =>
  flights.slice(1).flatMap((flight, i) => {
    const before = flights[i]!;
    const closesAtUs = before.windows[0]?.rx2.closesAtUs ?? before.untilUs;
    // Without power no window is open, and nothing is remembered of it.
    const isCut = cutsAtUs.some((atUs) => before.untilUs <= atUs && atUs <= flight.fromUs);
    if (flight.fromUs >= closesAtUs || isCut) return [];
    const heardAtUs = latest(receives, ({ atUs }) => atUs, flight.fromUs)?.atUs ?? 0;
    return heardAtUs > before.untilUs
      ? []
      : [`${flightName(flight)} begins before RX2 has closed at ${closesAtUs}`];
  }),
);

const MOST_NB_TRANS = 15;
const CLOCK_ROUNDING_US = 3;

/** Versions in which every uplink is sent NbTrans times, and nonces count. */
const isSince104 = (version: string | undefined): boolean =>
  version === '1.0.4' || version === '1.1';

/** The bytes of a frame; without its MIC in 1.1, where that covers the channel. */
const content = ({ phyPayload, keys }: Flight['begins']): string =>
  keys?.sNwkSIntKey === undefined ? phyPayload : phyPayload.slice(0, -8);

/** A repetition keeps counter, kind and bytes, and waits at least 1 s of its clock after RX2. */
export const repetitionsKeepTheirCounter = ofEachDevice((device, story) =>
  device.flights.flatMap((flight, i) => {
    const { begins, fromUs } = flight;
    if (begins.purpose !== 'data' || begins.attempt === 1) return [];
    const name = flightName(flight);
    const before = device.flights[i - 1];
    if (before === undefined || before.begins.purpose !== 'data')
      return [`${name} repeats nothing`];
    const complaints: string[] = [];
    const { confirmedTries, lorawan } = typeOf(story.plan, begins.device);
    const byTries = begins.confirmed && !isSince104(lorawan);
    if (begins.attempt > (byTries ? confirmedTries : MOST_NB_TRANS)) {
      complaints.push(`${name} is attempt ${begins.attempt}`);
    }
    if (begins.attempt !== before.begins.attempt + 1) complaints.push(`${name}: attempt`);
    if (begins.counter !== before.begins.counter) complaints.push(`${name}: counter`);
    if (begins.confirmed !== before.begins.confirmed) complaints.push(`${name}: confirmed`);
    if (content(begins) !== content(before.begins)) complaints.push(`${name}: other bytes`);
    const closesAtUs = before.windows[0]?.rx2.closesAtUs ?? before.untilUs;
    // Microseconds for the rounding of a clock, whose rate may change with the hour.
    if (fromUs < closesAtUs + waitUs(device, story, closesAtUs, SECOND_US) - CLOCK_ROUNDING_US) {
      complaints.push(`${name} begins ${fromUs - closesAtUs} µs after RX2`);
    }
    return complaints;
  }),
);

/**
 * A message is not repeated once acknowledged, or, if unconfirmed, once anything came down; what a
 * class C device hears outside its windows does not count.
 */
export const answeredMessagesAreNotRepeated = ofEachDevice((device, story) => {
  const complaints: string[] = [];
  let confirmed = false;
  let settled = false;
  for (const event of device.events) {
    if (isFlight(event)) {
      const repeats = event.begins.attempt > 1 && event.begins.purpose === 'data';
      if (repeats && settled) complaints.push(`${flightName(event)} repeats what was answered`);
      confirmed = event.begins.confirmed;
      settled = false;
    } else if (event.purpose === 'data') {
      const inWindow = classAt(story, device, event.atUs) === 'A';
      settled ||= event.acknowledges || (!confirmed && inWindow);
    }
  }
  return complaints;
});

/** An acknowledgement reaches a device only after a confirmed uplink. */
export const acknowledgementsAnswer = ofEachDevice(({ device, events }) => {
  const complaints: string[] = [];
  let confirmed = false;
  for (const event of events) {
    if (isFlight(event)) confirmed = event.begins.confirmed;
    else if (event.acknowledges && !confirmed) {
      complaints.push(`${device} gets an acknowledgement at ${event.atUs} of nothing confirmed`);
    }
  }
  return complaints;
});

/**
 * DevNonce (where it counts) and JoinNonce grow; FCntUp begins at 0 in each session and grows by
 * one a message; downlinks of a 1.1 application have a counter of their own.
 */
export const countersGrow = ofEachDevice(({ device, starts, events }, { plan }) => {
  const complaints: string[] = [];
  const planned = deviceOf(plan, starts[0]?.device ?? '');
  const lorawan = planned && plan.deviceTypes[planned.type]?.lorawan;
  const counts = planned !== undefined && (lorawan === undefined || isSince104(lorawan));
  let devNonce = NO_COUNTER;
  let joinNonce = NO_COUNTER;
  let fCntUp = NO_COUNTER;
  let fCntDown = [NO_COUNTER, NO_COUNTER];
  for (const event of events) {
    const { purpose, counter } = isFlight(event) ? event.begins : event;
    if (isFlight(event) && purpose === 'join') {
      if (counter <= devNonce && counts) {
        complaints.push(`${device}: DevNonce ${counter} after ${devNonce}`);
      }
      devNonce = counter;
    } else if (isFlight(event) && purpose === 'rejoin') {
      // RJcount: judged by the law of rejoins.
    } else if (isFlight(event)) {
      if (event.begins.attempt === 1 && counter !== fCntUp + 1) {
        complaints.push(`${device}: FCntUp ${counter} after ${fCntUp}`);
      }
      fCntUp = counter;
    } else if (purpose === 'join') {
      if (counter <= joinNonce)
        complaints.push(`${device}: JoinNonce ${counter} after ${joinNonce}`);
      joinNonce = counter;
      fCntUp = NO_COUNTER;
      fCntDown = [NO_COUNTER, NO_COUNTER];
    } else {
      const which = !isFlight(event) && event.ofApplication === true ? 1 : 0;
      const last = fCntDown[which]!;
      if (counter <= last) complaints.push(`${device}: FCntDown ${counter} after ${last}`);
      fCntDown[which] = counter;
    }
  }
  return complaints;
});

/** An OTAA device sends data only after a join was accepted, an ABP device never joins. */
export const joinsComeBeforeData = ofEachDevice(({ device, starts, events }) => {
  const complaints: string[] = [];
  const otaa = starts[0]?.activation === 'otaa';
  let active = !otaa;
  let joining = false;
  for (const event of events) {
    const { purpose } = isFlight(event) ? event.begins : event;
    if (isFlight(event) && purpose === 'join') {
      if (!otaa) complaints.push(`${device} joins though it is personalised`);
      joining = true;
    } else if (isFlight(event) && purpose === 'rejoin') {
      if (!active) complaints.push(`${flightName(event)} is sent before the join`);
      joining = true;
    } else if (isFlight(event)) {
      if (!active) complaints.push(`${flightName(event)} is sent before the join`);
      if (event.begins.keys === undefined) complaints.push(`${flightName(event)} has no keys`);
      joining = false;
    } else if (purpose === 'join') {
      if (!joining) complaints.push(`${device} is joined at ${event.atUs} without a request`);
      active = true;
    } else if (!active) complaints.push(`${device} receives data before the join`);
  }
  return complaints;
});

/**
 * Rejoin requests (1.1): RJcount1 of type 1 grows for life, RJcount0 of types 0 and 2 grows from 0
 * in each session.
 */
export const rejoinCountersGrow = ofEachDevice(({ device, events }) => {
  const complaints: string[] = [];
  let counts = [NO_COUNTER, NO_COUNTER];
  for (const event of events) {
    if (!isFlight(event)) {
      if (event.purpose === 'join') counts = [NO_COUNTER, counts[1]!];
      continue;
    }
    const { purpose, counter, phyPayload } = event.begins;
    if (purpose !== 'rejoin') continue;
    const kind = phyPayload.slice(2, 4) === '01' ? 1 : 0;
    const expected = counts[kind]! + 1;
    if (counter !== expected) complaints.push(`${device}: RJcount ${counter}, not ${expected}`);
    counts[kind] = counter;
  }
  return complaints;
});

/**
 * Join requests: 36 s on air in the first hour after power-on, 36 s in the next ten, 8.7 s in each
 * 24 after.
 */
export const joinBackOff = ofEachDevice(({ device, starts, flights }) => {
  const usedUs = new Map<number, number>();
  for (const { begins, fromUs } of flights) {
    if (begins.purpose !== 'join') continue;
    const hours = (fromUs - (starts[0]?.powerOnAtUs ?? 0)) / HOUR_US;
    const period =
      hours < 1 ? 0 : hours < 11 ? 1 : 2 + Math.floor(((hours - 11) * HOUR_US) / DAY_US);
    usedUs.set(period, (usedUs.get(period) ?? 0) + begins.airtimeUs);
  }
  return [...usedUs]
    .filter(([period, airtimeUs]) => airtimeUs > (period < 2 ? 36 : 8.7) * SECOND_US)
    .map(([period, airtimeUs]) => `${device} joins for ${airtimeUs} µs in period ${period}`);
});
