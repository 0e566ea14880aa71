/** What the air and a gateway's radio allow: fates, levels, half duplex, reception paths. */

import { UPLINK_FATES, type UplinkFate } from '../../../sim/base/counts.ts';
import type { RadioSignal } from '../../../sim/observation/observer.ts';
import type { NetworkPlan, PathKind } from '../../../sim/plan/network-plan.ts';
import { gatewayOf } from './planned.ts';
import {
  type Downlink,
  downlinkName,
  type Flight,
  flightName,
  isIn,
  law,
  type Span,
  type Story,
  strengthAt,
  Timeline,
  timelines,
} from './story.ts';

/** Fates of frames that a demodulator held from their begin to their end. */
const HELD: readonly UplinkFate[] = ['received', 'interfered', 'frameLoss', 'noise'];

/** Every flight ends once, at its time, with one known fate for each gateway it names. */
export const oneFate = law(({ devices, endUs }) => {
  const complaints: string[] = [];
  for (const { flights } of devices.values()) {
    flights.forEach((flight, i) => {
      const name = flightName(flight);
      if (flight.begins.frame !== i) complaints.push(`${name} is number ${i} of its device`);
      const isCut = flight.brokenOffAtUs !== undefined || flight.untilUs > endUs;
      if (flight.ends.length !== 1 && !(isCut && flight.ends.length === 0)) {
        complaints.push(`${name} ends ${flight.ends.length} times`);
      }
      for (const { atUs, gateways } of flight.ends) {
        if (atUs !== flight.untilUs) complaints.push(`${name} ends at ${atUs}`);
        const names = new Set(gateways.map(({ gateway }) => gateway));
        if (names.size !== gateways.length) complaints.push(`${name} has two fates at a gateway`);
        const strange = gateways.find(({ fate }) => !UPLINK_FATES.includes(fate));
        if (strange !== undefined) complaints.push(`${name} has the fate ${strange.fate}`);
      }
    });
  }
  return complaints;
});

/** Downlinks end once, after their time on air, and devices of one are named once. */
export const downlinksEnd = law(({ downlinks, endUs }) =>
  downlinks
    .filter(({ begins }) => begins.length > 0)
    .flatMap((downlink) => {
      const { begins, ends, untilUs } = downlink;
      const name = downlinkName(downlink);
      if (begins.length > 1) return [`${name} begins ${begins.length} times`];
      if (ends.length === 0 && untilUs > endUs) return [];
      if (ends.length !== 1) return [`${name} ends ${ends.length} times`];
      if (ends[0]!.atUs !== untilUs) return [`${name} ends at ${ends[0]!.atUs}, not ${untilUs}`];
      const devices = new Set(ends[0]!.devices.map(({ device }) => device));
      return devices.size === ends[0]!.devices.length ? [] : [`${name} names a device twice`];
    }),
);

/** Noise may take a frame from so far below the SNR floor to so far above it. */
const THEORY_BELOW_CENTI_DB = 800;
const THEORY_ABOVE_CENTI_DB = 400;

/** The spreading factor of FSK in traces. FSK needs an SNR of 10 dB under every LoRa model. */
const FSK = 0;
/** Noise in its 100 kHz. */
const FSK_NOISE_CENTI_DBM = -12_400;
const FSK_SNR_CENTI_DB = 1_000;

type Modulation = Pick<RadioSignal, 'spreadingFactor' | 'bandwidthHz'>;

type Receiver = 'gateway' | 'device';

const tableOf = ({ radio }: NetworkPlan, receiver: Receiver): readonly number[] =>
  receiver === 'gateway' ? radio.gatewaySensitivityCentiDbm : radio.deviceSensitivityCentiDbm;

/** Sensitivity to a modulation as the theory has it: a receiver with the stated losses. */
const lossyCentiDbm = (plan: NetworkPlan, receiver: Receiver, signal: Modulation): number =>
  tabled(tableOf(plan, receiver), signal) +
  plan.radio.reception.implementationLossCentiDb[signal.spreadingFactor - 5]!;

/** What a table of levels at 125 kHz, or at 125, 250 and 500 kHz, says. */
function tabled(table: readonly number[], { spreadingFactor, bandwidthHz }: Modulation): number {
  const doublings = [125_000, 250_000, 500_000].indexOf(bandwidthHz);
  const at125 = table[spreadingFactor - 5]!;
  return table.length > 8 ? table[8 * doublings + spreadingFactor - 5]! : at125 + 301 * doublings;
}

/** Weakest level that is noticed, 1/100 dBm. */
function noticedFrom(plan: NetworkPlan, receiver: Receiver, signal: Modulation): number {
  const { reception, ignoredBelowCentiDbm } = plan.radio;
  if (reception.model === 'off') return ignoredBelowCentiDbm;
  if (signal.spreadingFactor === FSK) {
    const figureDb = receiver === 'device' ? plan.radio.deviceNoiseFigureDb : undefined;
    const noise = Math.round(100 * (figureDb ?? plan.radio.noiseFigureDb));
    return FSK_NOISE_CENTI_DBM + noise + FSK_SNR_CENTI_DB;
  }
  if (reception.model === 'threshold') return tabled(tableOf(plan, receiver), signal);
  return lossyCentiDbm(plan, receiver, signal) - THEORY_BELOW_CENTI_DB;
}

/** A frame is too weak exactly when its level is below what the gateway notices. */
export const sensitivity = law(({ flights, downlinks, plan }) => {
  const uplinks = flights.flatMap((flight) => {
    const leastCentiDbm = noticedFrom(plan, 'gateway', flight.begins);
    return flight.ends
      .flatMap(({ gateways }) => gateways)
      .filter(({ rssiCentiDbm, fate }) => rssiCentiDbm < leastCentiDbm !== (fate === 'tooWeak'))
      .map((at) => `${flightName(flight)} is ${at.fate} at ${at.rssiCentiDbm}`);
  });
  const sent = downlinks.filter(({ begins }) => begins.length > 0);
  const heard = sent.flatMap((downlink) => {
    const leastCentiDbm = noticedFrom(plan, 'device', downlink.begins[0]!);
    return downlink.ends
      .flatMap(({ devices }) => devices)
      .filter(({ rssiCentiDbm }) => rssiCentiDbm < leastCentiDbm)
      .map((at) => `${at.device} heard ${downlinkName(downlink)} at ${at.rssiCentiDbm}`);
  });
  return [...uplinks, ...heard];
});

/**
 * A frame is jammed exactly when risen noise at the gateway has made it too weak, unless something
 * else stored the gateway from it.
 */
export const noiseDrownsTheWeak = law((story) =>
  story.flights.flatMap((flight) => {
    const leastCentiDbm = noticedFrom(story.plan, 'gateway', flight.begins);
    return flight.ends
      .flatMap(({ gateways }) => gateways)
      .filter(({ gateway, rssiCentiDbm, fate }) => {
        const noise = story.noiseAt(gateway, flight.begins.frequencyHz, flight.fromUs);
        const isDrowned = noise > 0 && rssiCentiDbm - noise < leastCentiDbm;
        return isDrowned ? HELD.includes(fate) || fate === 'noPath' : fate === 'jammed';
      })
      .map((at) => `${flightName(flight)} is ${at.fate} at ${at.gateway}, at ${at.rssiCentiDbm}`);
  }),
);

/**
 * Only theory loses frames to noise, and none that is far above the floor, with what noise rises
 * beside the gateway when the frame ends.
 */
export const noiseTakesTheWeak = law((story) => {
  const { flights, downlinks, plan } = story;
  const isPossible = (receiver: Receiver, signal: Modulation, centiDbm: number): boolean =>
    plan.radio.reception.model === 'theory' &&
    centiDbm <= lossyCentiDbm(plan, receiver, signal) + THEORY_ABOVE_CENTI_DB;
  const up = flights.flatMap((flight) =>
    flight.ends
      .flatMap(({ gateways }) => gateways)
      .filter(({ fate }) => fate === 'noise')
      .map(({ gateway, rssiCentiDbm }) => {
        const rise = story.noiseAt(gateway, flight.begins.frequencyHz, flight.untilUs);
        const level = rssiCentiDbm - rise;
        return { receiver: 'gateway' as const, signal: flight.begins, rssiCentiDbm: level };
      }),
  );
  const down = downlinks.flatMap(({ begins, ends }) =>
    ends
      .flatMap(({ devices }) => devices)
      .filter(({ fate }) => fate === 'noise')
      .map(({ rssiCentiDbm }) => {
        return { receiver: 'device' as const, signal: begins[0]!, rssiCentiDbm };
      }),
  );
  return [...up, ...down].flatMap(({ receiver, signal, rssiCentiDbm }) => {
    if (isPossible(receiver, signal, rssiCentiDbm)) return [];
    return [`noise takes a frame of SF${signal.spreadingFactor} at ${rssiCentiDbm}`];
  });
});

/**
 * The level at a gateway less the radiated power is the same for all frames of a link that does not
 * fade. What faults at both ends took of it when the frame began is left out.
 */
export const constantLinks = law((story) => {
  if (story.plan.radio.fading.model !== 'none') return [];
  const gains = new Map<string, number>();
  const complaints: string[] = [];
  for (const flight of story.flights) {
    for (const { gateway, rssiCentiDbm } of flight.ends.flatMap(({ gateways }) => gateways)) {
      const key = `${flight.device} ${gateway}`;
      const loss =
        strengthAt(story.faultsOf(gateway, 'attenuation'), flight.fromUs) +
        strengthAt(story.faultsOf(flight.device, 'device attenuation'), flight.fromUs);
      const gain = rssiCentiDbm - flight.begins.eirpCentiDbm + loss;
      if (gains.has(key) && gains.get(key) !== gain) complaints.push(`${key}: gain ${gain}`);
      gains.set(key, gain);
    }
  }
  return complaints;
});

/** The most that a fade adds to a level. */
const HIGHEST_FADE_CENTI_DB = 1500;

/** A frame arrives with no more than its EIRP, the receiving antenna and a fade add up to. */
export const linksGiveNoPower = law(({ flights, downlinks, plan }) => {
  const fade = plan.radio.fading.model === 'none' ? 0 : HIGHEST_FADE_CENTI_DB;
  const antennas = new Map(plan.gateways.map((one) => [one.name, one.antennaGainCentiDb]));
  const atDevices = Math.max(...plan.deviceTypes.map((type) => type.antennaGainCentiDb));
  const up = flights.flatMap((flight) =>
    flight.ends
      .flatMap(({ gateways }) => gateways)
      .filter(({ gateway, rssiCentiDbm }) => {
        const own = antennas.get(gateway) ?? Number.POSITIVE_INFINITY;
        return rssiCentiDbm > flight.begins.eirpCentiDbm + own + fade;
      })
      .map(({ gateway, rssiCentiDbm }) => `${flightName(flight)} is ${rssiCentiDbm} at ${gateway}`),
  );
  const down = downlinks.flatMap((downlink) => {
    const { eirpCentiDbm = 0 } = downlink.begins[0] ?? {};
    return downlink.ends
      .flatMap(({ devices }) => devices)
      .filter(({ rssiCentiDbm }) => rssiCentiDbm > eirpCentiDbm + atDevices + fade)
      .map((at) => `${downlinkName(downlink)} is ${at.rssiCentiDbm} at ${at.device}`);
  });
  return [...up, ...down];
});

/** What each gateway sent. */
function sending({ downlinks }: Story): Map<string | number, Timeline<Downlink>> {
  const sent = downlinks.filter(({ begins }) => begins.length > 0);
  return timelines(sent, ({ gateway }) => gateway);
}

/** What a flight met at each gateway in reach. */
const meetings = (story: Story) =>
  story.flights.flatMap((flight) =>
    flight.ends.flatMap(({ gateways }) => gateways.map((at) => ({ flight, ...at }))),
  );

/** A gateway sends one frame at a time and receives none meanwhile; only then is it deaf. */
export const gatewaysAreHalfDuplex = law((story) => {
  const sent = sending(story);
  const twice = [...sent.values()].flatMap((timeline) =>
    timeline.sorted
      .filter((downlink) => timeline.meeting(downlink).length > 1)
      .map((downlink) => `${downlinkName(downlink)} overlaps another of its gateway`),
  );
  const heard = meetings(story).flatMap(({ flight, gateway, fate }) => {
    const meets = (sent.get(gateway)?.meeting(flight).length ?? 0) > 0;
    const isDeaf = fate === 'halfDuplex';
    if (meets ? !HELD.includes(fate) : !isDeaf) return [];
    return [
      `${flightName(flight)} is ${fate} at ${gateway}, which ${meets ? 'sends' : 'is silent'}`,
    ];
  });
  return [...twice, ...heard];
});

/**
 * What a device whose radio has failed sends has no level anywhere, and it locks on nothing; of a
 * group it hears no frame that ended meanwhile.
 */
export const muteDevicesAreAlone = law((story) => {
  const isMute = (life: string, atUs: number) => isIn(story.faultsOf(life, 'device radio'), atUs);
  const heard = story.flights
    .filter(({ device, fromUs }) => isMute(device, fromUs))
    .filter(({ ends }) => ends.some(({ gateways }) => gateways.length > 0))
    .map((flight) => `${flightName(flight)} is heard of a radio that has failed`);
  const hears = story.downlinks.flatMap((downlink) =>
    downlink.ends
      .flatMap(({ devices }) => devices)
      .map(({ device }) => story.lifeAt(device, downlink.fromUs)?.device ?? device)
      .filter((life) => isMute(life, downlink.fromUs))
      .map((life) => `${life} hears ${downlinkName(downlink)} by a radio that has failed`),
  );
  const ofGroups = story.rows.flatMap((row) => {
    if (row.kind !== 'multicastDecided' || row.fate !== 'heard') return [];
    const { device, mcAddr, fCnt, endedAtUs } = row;
    const life = story.lifeAt(device, endedAtUs)?.device ?? device;
    if (!isMute(life, endedAtUs)) return [];
    return [`${life} hears frame ${fCnt} of ${mcAddr} by a radio that has failed`];
  });
  return [...heard, ...hears, ...ofGroups];
});

/** A radio that has failed sends nothing, and receives no frame that meets the fault. */
export const failedRadiosAreSilent = law((story) => {
  const sent = story.downlinks.flatMap((downlink) =>
    downlink.begins
      .filter(({ atUs }) => isIn(story.faultsOf(downlink.gateway, 'radio'), atUs))
      .map(() => `${downlinkName(downlink)} is sent by a radio that has failed`),
  );
  const heard = meetings(story).flatMap(({ flight, gateway, fate }) => {
    const { fromUs, untilUs } = flight;
    const faults = story.faultsOf(gateway, 'radio');
    const fails = faults.some((fault) => fromUs <= fault.fromUs && fault.fromUs < untilUs);
    const meets = isIn(faults, fromUs) || fails;
    const isWrong = meets ? HELD.includes(fate) : fate === 'radioFault';
    return isWrong ? [`${flightName(flight)} is ${fate} at ${gateway}`] : [];
  });
  return [...sent, ...heard];
});

interface Held extends Span {
  readonly gateway: string;
  readonly begins: Flight['begins'];
}

/** When demodulators were held: to the end of the frame, or until the gateway sent or failed. */
function heldSpans(story: Story): Held[] {
  const sent = sending(story);
  return meetings(story).flatMap(({ flight: { fromUs, untilUs, begins }, gateway, fate }) => {
    if (HELD.includes(fate)) return [{ gateway, begins, fromUs, untilUs }];
    if (fate !== 'halfDuplex' && fate !== 'radioFault') return [];
    const faults = story.faultsOf(gateway, 'radio');
    if (isIn(faults, fromUs)) return [];
    const failures = faults.filter((fault) => fault.fromUs >= fromUs);
    const sendings = sent.get(gateway)?.meeting({ fromUs, untilUs }) ?? [];
    const cuts = [...sendings, ...failures].map((cut) => cut.fromUs);
    const cutUs = Math.min(untilUs, ...cuts);
    return cutUs > fromUs ? [{ gateway, begins, fromUs, untilUs: cutUs }] : [];
  });
}

/** Kinds of paths of a gateway; without kinds each path takes anything. */
function kindsOf(story: Story, gateway: string): readonly PathKind[] {
  const plan = gatewayOf(story.plan, gateway);
  if (plan === undefined) return [];
  const anything = { leastSpreadingFactor: 0, mostSpreadingFactor: 12 };
  const anyBandwidth = { leastBandwidthHz: 0, mostBandwidthHz: 1e9 };
  return plan.paths ?? [{ count: plan.receptionPaths, ...anything, ...anyBandwidth }];
}

const takes = (kind: PathKind, { spreadingFactor, bandwidthHz }: Flight['begins']): boolean =>
  kind.leastSpreadingFactor <= spreadingFactor &&
  spreadingFactor <= kind.mostSpreadingFactor &&
  kind.leastBandwidthHz <= bandwidthHz &&
  bandwidthHz <= kind.mostBandwidthHz;

const capacity = (kinds: readonly PathKind[]): number =>
  kinds.reduce((sum, { count }) => sum + count, 0);

/** Whether frames cannot all have paths: more need a few kinds than those have paths. */
function areTooMany(held: readonly Held[], kinds: readonly PathKind[]): boolean {
  const needs = held.map(({ begins }) => kinds.filter((kind) => takes(kind, begins)));
  return needs.some((need) => {
    const within = needs.filter((other) => other.every((kind) => need.includes(kind)));
    return within.length > capacity(need);
  });
}

/**
 * No gateway holds more frames than its paths can demodulate; one finds none only when all that
 * could take it are held.
 */
export const receptionPaths = law((story) => {
  const held = timelines(heldSpans(story), ({ gateway }) => gateway);
  const broken = new Timeline(story.flights.filter(({ ends }) => ends.length === 0));
  const all = new Timeline(story.flights);
  const tooMany = [...held].flatMap(([gateway, timeline]) =>
    timeline.sorted
      .filter(({ fromUs }) => areTooMany(timeline.at(fromUs), kindsOf(story, `${gateway}`)))
      .map(({ fromUs }) => `${gateway} holds ${timeline.at(fromUs).length} at ${fromUs}`),
  );
  const tooFew = meetings(story)
    .filter(({ fate }) => fate === 'noPath')
    .filter(({ flight }) => broken.meeting(flight).length === 0)
    .filter(({ flight, gateway }) => {
      // A frame that a removed gateway was receiving held a path; no row shows it.
      const { untilUs } = story.gatewayLife(gateway);
      if (all.at(flight.fromUs).some((other) => other.untilUs >= untilUs)) return false;
      const fit = kindsOf(story, gateway).filter((kind) => takes(kind, flight.begins));
      const rivals = (held.get(gateway)?.at(flight.fromUs) ?? []).filter(({ begins }) =>
        fit.some((kind) => takes(kind, begins)),
      );
      return rivals.length < capacity(fit);
    })
    .map(({ flight, gateway }) => `${flightName(flight)} finds no path at ${gateway}: one is free`);
  return [...tooMany, ...tooFew];
});
