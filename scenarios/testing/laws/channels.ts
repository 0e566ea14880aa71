/** What a regional plan allows a device and its network: channels, dwell time, payloads. */
import type { RadioSignal } from '../../../sim/observation/observer.ts';
import {
  type ChannelMask,
  knowledge,
  type MacSettings,
  NO_MAC_SETTINGS,
  settingsSent,
} from './mac-settings.ts';
import { typeOf } from './planned.ts';
import {
  defaultChannels,
  downlinkRate,
  networkChannels,
  type PlannedChannel,
  REGULATIONS,
  type Regulation,
  uplinkRate,
} from './regions.ts';
import { downlinkName, flightName, law, type Story } from './story.ts';

const DWELL_US = 400_000;
const NARROW_HZ = 125_000;
/** MHDR and MIC. */
const AROUND_BYTES = 5;

const regulationOf = ({ plan }: Story): Regulation => REGULATIONS[plan.region];

/**
 * Devices send on the network's channels, or on those of a NewChannelReq, at data rates that the
 * channel carries. The region's default channels are for devices that start with them. They are for
 * others, too, once a LinkADRReq or their ADR back-off has turned them on (LoRaWAN 1.0.4 §4.3.1.1).
 */
export const uplinksKeepToChannels = law((story) => {
  const region = regulationOf(story);
  const network = byFrequency(networkChannels(story.plan, region));
  const defaults = defaultChannels(region);
  const all = byFrequency(defaults);
  const known = knowledge(story);
  return story.flights.flatMap((flight) => {
    const { begins } = flight;
    const { settings, mayUseAll } = known.get(flight)!;
    const hz = begins.frequencyHz;
    const isFree = mayUseAll || typeOf(story.plan, begins.device).channels === 'region';
    const own = network.get(hz) ?? (isFree ? all.get(hz) : switchedOn(hz, settings, defaults));
    const channels = settings.channels.filter(({ frequencyHz }) => frequencyHz === hz);
    if (own !== undefined) channels.push(own);
    if (channels.length === 0) return [`${flightName(flight)} is sent at ${hz} Hz`];
    const dataRate = uplinkRate(region, begins);
    const isCarried = channels.some((one) => dataRate >= one.lowest && dataRate <= one.highest);
    return isCarried ? [] : [`${flightName(flight)} is sent at DR${dataRate} on ${hz} Hz`];
  });
});

const byFrequency = (channels: readonly PlannedChannel[]): Map<number, PlannedChannel> =>
  new Map(channels.map((one) => [one.frequencyHz, one]));

/** The default channel of a frequency, when a LinkADRReq has named it. */
function switchedOn(hz: number, { masks }: MacSettings, defaults: readonly PlannedChannel[]) {
  if (masks.length === 0) return undefined;
  const index = defaults.findIndex(({ frequencyHz }) => frequencyHz === hz);
  const isNamed = masks.some((mask) => names(mask, index, defaults.length));
  return isNamed ? defaults[index] : undefined;
}

const WIDE_PLAN_CHANNELS = 72;
const NARROW_CHANNELS = 64;

/** Whether a mask turns on a default channel of a plan of that many (RP002-1.0.4, LinkADRReq). */
function names({ control, bits }: ChannelMask, index: number, count: number): boolean {
  if (index < 0) return false;
  const isOfBank = index >> 4 === control && ((bits >> (index & 15)) & 1) === 1;
  if (count !== WIDE_PLAN_CHANNELS) return isOfBank || control === 6;
  const isWide = index >= NARROW_CHANNELS;
  const isOfGroup = ((bits >> (isWide ? index - NARROW_CHANNELS : index >> 3)) & 1) === 1;
  if (control === 5) return isOfGroup;
  if (control === 6) return !isWide || isOfGroup;
  return control === 7 ? isWide && isOfGroup : isOfBank;
}

/** Whether a dwell time limit holds all the time: no command lifted it. */
function limited({ plan }: Story, region: Regulation, { dwells }: MacSettings) {
  const { uplinkDwell = true, downlinkDwell = true } = plan.server.txParamSetup ?? {};
  return {
    up: region.dwell.up && uplinkDwell && dwells.every(({ up }) => up),
    down: region.dwell.down && downlinkDwell && dwells.every(({ down }) => down),
  };
}

const isLong = ({ airtimeUs, bandwidthHz }: RadioSignal): boolean =>
  airtimeUs > DWELL_US && bandwidthHz === NARROW_HZ;

/** Under a dwell time limit nobody sends for more than 400 ms on a 125 kHz channel. */
export const dwellTimesAreKept = law((story) => {
  const region = regulationOf(story);
  const known = knowledge(story);
  const sent = settingsSent(story);
  const uplinks = story.flights.filter(
    (flight) => isLong(flight.begins) && limited(story, region, known.get(flight)!.settings).up,
  );
  const downlinks = story.downlinks.filter(({ begins, planned }) => {
    const settings = (planned[0] && sent.get(planned[0])) ?? NO_MAC_SETTINGS;
    return begins.some(isLong) && limited(story, region, settings).down;
  });
  return [
    ...uplinks.map((flight) => `${flightName(flight)} lasts ${flight.begins.airtimeUs} µs`),
    ...downlinks.map((one) => `${downlinkName(one)} lasts ${one.begins[0]!.airtimeUs} µs`),
  ];
});

/** No data frame carries more than the data rate allows. */
export const payloadsFit = law((story) => {
  const region = regulationOf(story);
  const known = knowledge(story);
  const sent = settingsSent(story);
  const uplinks = story.flights.flatMap((flight) => {
    const { purpose, phyBytes } = flight.begins;
    if (purpose === 'join') return [];
    const { up } = limited(story, region, known.get(flight)!.settings);
    const limit = (up ? region.mostDwell : region.most)[uplinkRate(region, flight.begins)] ?? 0;
    if (phyBytes - AROUND_BYTES <= limit) return [];
    return [`${flightName(flight)} has ${phyBytes - AROUND_BYTES} of ${limit} B`];
  });
  const downlinks = story.downlinks.flatMap((downlink) =>
    downlink.planned.flatMap((row) => {
      const { down } = limited(story, region, sent.get(row) ?? NO_MAC_SETTINGS);
      // A dwell time limit of downlinks is that of uplinks, where both share their data rates.
      const limit = (down ? region.mostDwell : region.mostDown)[downlinkRate(region, row)] ?? 0;
      if (row.purpose === 'join' || row.phyBytes - AROUND_BYTES <= limit) return [];
      return [`${downlinkName(downlink)} has ${row.phyBytes - AROUND_BYTES} of ${limit} B`];
    }),
  );
  return [...uplinks, ...downlinks];
});
