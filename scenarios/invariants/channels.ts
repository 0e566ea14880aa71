/** What a regional plan allows a device and its network: channels, dwell time, payloads. */
import {
  defaultChannels,
  downlinkRate,
  networkChannels,
  REGULATIONS,
  type Regulation,
  uplinkRate,
} from './regions.ts';
import { downlinkName, flightName, law, type Story, typeOf } from './story.ts';

const DWELL_US = 400_000;
const NARROW_HZ = 125_000;
/** MHDR and MIC. */
const AROUND_BYTES = 5;

const regulationOf = ({ plan }: Story): Regulation => REGULATIONS[plan.region];

/**
 * Devices send on the network's channels, or the region's default ones if they come with those, at
 * data rates that the channel carries.
 */
export const uplinksKeepToChannels = law((story) => {
  const region = regulationOf(story);
  const network = networkChannels(story.plan, region);
  const all = [...network, ...defaultChannels(region)];
  return story.flights.flatMap((flight) => {
    const { begins } = flight;
    const known = typeOf(story.plan, begins.device).channels === 'region' ? all : network;
    const channel = known.find(({ frequencyHz }) => frequencyHz === begins.frequencyHz);
    if (channel === undefined) return [`${flightName(flight)} is sent at ${begins.frequencyHz} Hz`];
    const dataRate = uplinkRate(region, begins);
    if (dataRate >= channel.lowest && dataRate <= channel.highest) return [];
    return [`${flightName(flight)} is sent at DR${dataRate} on ${begins.frequencyHz} Hz`];
  });
});

/** Whether a dwell time limit holds all the time, for the server never lifts it. */
function limited({ plan }: Story, region: Regulation) {
  const { uplinkDwell = true, downlinkDwell = true } = plan.server.txParamSetup ?? {};
  return { up: region.dwell.up && uplinkDwell, down: region.dwell.down && downlinkDwell };
}

/** Under a dwell time limit nobody sends for more than 400 ms on a 125 kHz channel. */
export const dwellTimesAreKept = law((story) => {
  const { up, down } = limited(story, regulationOf(story));
  const isLong = (one: { airtimeUs: number; bandwidthHz: number }) =>
    one.airtimeUs > DWELL_US && one.bandwidthHz === NARROW_HZ;
  const uplinks = up ? story.flights.filter(({ begins }) => isLong(begins)) : [];
  const downlinks = down ? story.downlinks.filter(({ begins }) => begins.some(isLong)) : [];
  return [
    ...uplinks.map((flight) => `${flightName(flight)} lasts ${flight.begins.airtimeUs} µs`),
    ...downlinks.map((one) => `${downlinkName(one)} lasts ${one.begins[0]!.airtimeUs} µs`),
  ];
});

/** No data frame carries more than the data rate allows. */
export const payloadsFit = law((story) => {
  const region = regulationOf(story);
  const { up, down } = limited(story, region);
  const most = up ? region.mostDwell : region.most;
  // A dwell time limit of downlinks is that of uplinks, where both share their data rates.
  const mostDown = down ? region.mostDwell : region.mostDown;
  const uplinks = story.flights.flatMap((flight) => {
    const { purpose, phyBytes } = flight.begins;
    if (purpose === 'join') return [];
    const limit = most[uplinkRate(region, flight.begins)] ?? 0;
    if (phyBytes - AROUND_BYTES <= limit) return [];
    return [`${flightName(flight)} has ${phyBytes - AROUND_BYTES} of ${limit} B`];
  });
  const downlinks = story.downlinks.flatMap((downlink) =>
    downlink.planned.flatMap((row) => {
      const limit = mostDown[downlinkRate(region, row)] ?? 0;
      if (row.purpose === 'join' || row.phyBytes - AROUND_BYTES <= limit) return [];
      return [`${downlinkName(downlink)} has ${row.phyBytes - AROUND_BYTES} of ${limit} B`];
    }),
  );
  return [...uplinks, ...downlinks];
});
