/** Figures of devices: joins, messages, class B, and the energy that they draw. */
import type { BeaconFigures, EnergyResult, PopulationResult } from '../../core/result/result.ts';
import {
  addedUp,
  type ListedCounts,
  sumOf,
  UPLINK_LOSSES,
  type UplinkLoss,
} from '../../sim/base/counts.ts';
import { UPLINK_WORDS } from '../text/words.ts';
import { percentile, type Row, ratio } from './figure.ts';

export const DEVICES: readonly Row[] = [
  {
    name: 'devices',
    label: 'Devices',
    unit: 'count',
    meaning: 'Devices in the network.',
    of: ({ devices }) => devices.total,
    ofPopulation: ({ devices }) => devices.devices,
  },
  {
    name: 'joined',
    label: 'Devices joined',
    unit: 'share',
    meaning: 'Devices with a session at the end, over all devices.',
    parts: ({ devices }) => [devices.joined, devices.total],
    key: 'always',
    ofPopulation: ({ devices }) => ratio(devices.joined, devices.devices),
  },
  {
    name: 'joinRequests',
    label: 'Join requests',
    unit: 'count',
    meaning: 'JoinRequest frames sent.',
    of: ({ devices }) => devices.joinRequests,
  },
  {
    name: 'joinSeconds.p50',
    label: 'Join time, median',
    unit: 'seconds',
    meaning: 'Power-on to session, the median over joined OTAA devices.',
    of: ({ devices }) => percentile(devices.joinSeconds, 'p50'),
  },
  {
    name: 'joinSeconds.p90',
    label: 'Join time, 90th percentile',
    unit: 'seconds',
    meaning: 'Power-on to session; nine in ten joined OTAA devices were at least this fast.',
    of: ({ devices }) => percentile(devices.joinSeconds, 'p90'),
  },
  {
    name: 'joinSeconds.max',
    label: 'Join time, slowest',
    unit: 'seconds',
    meaning: 'Power-on to session of the slowest joined OTAA device.',
    of: ({ devices }) => percentile(devices.joinSeconds, 'max'),
  },
];

/** Messages with this fate, or with any but `received`, and all whose fate is known. */
function missing(populations: readonly PopulationResult[], cause?: UplinkLoss): [number, number] {
  const fates = addedUp(populations.map(({ messageFates = {} }) => messageFates));
  const all = sumOf(fates);
  return [cause === undefined ? all - (fates.received ?? 0) : (fates[cause] ?? 0), all];
}

function missingBy(cause: UplinkLoss): Row {
  return {
    name: `messagesMissing.${cause}`,
    label: `Messages missing: ${cause}`,
    unit: 'share',
    meaning: `Messages whose last transmission was lost so. ${UPLINK_WORDS[cause].meaning}`,
    parts: ({ devices }) => missing(devices.populations, cause),
    ofPopulation: ({ devices }) => ratio(...missing([devices], cause)),
  };
}

export const MESSAGES: readonly Row[] = [
  {
    name: 'messages',
    label: 'Messages',
    unit: 'count',
    meaning:
      'New uplinks with data, answers of packages and empty frames in place of messages that are ' +
      'too long among them; a repetition is not a new one.',
    of: ({ devices }) => devices.messages,
    ofPopulation: ({ devices }) => devices.messages,
  },
  {
    name: 'messagesDelivered',
    label: 'Messages delivered',
    unit: 'share',
    meaning: 'Messages that the server received at least once, over all messages.',
    parts: ({ devices }) => [devices.messagesDelivered, devices.messages],
    key: 'always',
    ofPopulation: ({ devices }) => ratio(devices.messagesDelivered, devices.messages),
  },
  {
    name: 'messagesMissing',
    label: 'Messages missing',
    unit: 'share',
    meaning:
      'Messages without a transmission that a gateway brought to the server, over all that are ' +
      'over.',
    parts: ({ devices }) => missing(devices.populations),
    ofPopulation: ({ devices }) => ratio(...missing([devices])),
  },
  ...UPLINK_LOSSES.map(missingBy),
  {
    name: 'messagesDropped',
    label: 'Messages dropped',
    unit: 'count',
    meaning:
      'Messages and answers that were never sent: too long for the data rate, more than may ' +
      'wait, or gone in a reboot or a power cut.',
    of: ({ devices }) => devices.messagesDropped,
    ofPopulation: ({ devices }) => devices.messagesDropped,
  },
  {
    name: 'deliveryRatio.p10',
    label: 'Delivery ratio, 10th percentile',
    unit: 'share',
    meaning: 'Share of its messages that a device delivered; one in ten devices had no more.',
    of: ({ devices }) => percentile(devices.deliveryRatio, 'p10'),
    ofPopulation: ({ devices }) => percentile(devices.deliveryRatio, 'p10'),
  },
  {
    name: 'deliveryRatio.p50',
    label: 'Delivery ratio, median',
    unit: 'share',
    meaning: 'Share of its messages that a device delivered, the median over devices that sent.',
    of: ({ devices }) => percentile(devices.deliveryRatio, 'p50'),
    ofPopulation: ({ devices }) => percentile(devices.deliveryRatio, 'p50'),
  },
  {
    name: 'listed',
    label: 'Messages listed',
    unit: 'count',
    meaning: 'Messages of the files that say what devices send.',
    of: ({ devices }) => all(devices.listed),
    ofPopulation: ({ devices }) => all(devices.listed),
  },
  listedShare('sent', 'Messages of files that went on the air, over all of them.', 'measured'),
  listedShare(
    'lost',
    'Messages of files that are never sent, too long for the data rate or gone in a power cut or ' +
      'with an empty battery, over all of them.',
  ),
  listedShare('left', 'Messages of files that are to come yet, or wait, over all of them.'),
];

const all = ({ sent, lost, left }: ListedCounts = { sent: 0, lost: 0, left: 0 }): number =>
  sent + lost + left;

function listedShare(part: keyof ListedCounts, meaning: string, key?: Row['key']): Row {
  const parts = (of: Pick<PopulationResult, 'listed'>) =>
    [of.listed?.[part] ?? 0, all(of.listed)] as const;
  return {
    name: `listed.${part}`,
    label: `Messages listed: ${part}`,
    unit: 'share',
    meaning,
    parts: ({ devices }) => parts(devices),
    ...(key === undefined ? {} : { key }),
    ofPopulation: ({ devices }) => ratio(...parts(devices)),
  };
}

export const CLASS_B: readonly Row[] = [
  {
    name: 'beaconsHeard',
    label: 'Beacons heard',
    unit: 'share',
    meaning: 'Beacons that devices heard, over those that they looked for.',
    parts: ({ beacons }) => [beacons?.heard ?? 0, beacons?.lookedFor ?? 0],
  },
  {
    name: 'inClassB',
    label: 'Devices in class B',
    unit: 'count',
    meaning: 'Devices that have a beacon at the end, and ping slots that the server knows.',
    of: ({ beacons }) => beacons?.inClassB ?? 0,
  },
  {
    name: 'classBEnergy',
    label: 'Energy for class B',
    unit: 'share',
    meaning: 'Energy drawn for beacons and ping slots, over all energy that devices have drawn.',
    of: ({ beacons, energy }) => classBShare(beacons, energy),
    key: 'measured',
    ofPopulation: ({ beacons, energy }) => classBShare(beacons, energy),
  },
];

/** NaN where no beacon was looked for, or no energy is counted or drawn. */
function classBShare(
  beacons: BeaconFigures | undefined,
  energy: Pick<EnergyResult, 'byCause' | 'meanJoules'> | undefined,
): number {
  if (beacons === undefined || energy === undefined) return Number.NaN;
  const { beacon = 0, ping = 0 } = energy.byCause;
  return ratio(beacon + ping, energy.meanJoules);
}

const DAY_S = 86_400;

export const ENERGY: readonly Row[] = [
  {
    name: 'energyPerDevice',
    label: 'Energy per device',
    unit: 'joules',
    meaning: 'What a device has drawn from its supply since power-on, the mean over devices.',
    of: ({ energy }) => energy?.meanJoules ?? Number.NaN,
    ofPopulation: ({ energy }) => energy?.meanJoules ?? Number.NaN,
  },
  {
    name: 'batteryLife',
    label: 'Battery life, nine in ten',
    unit: 'seconds',
    meaning:
      'Capacity over mean power, without updates, and self-discharge; nine in ten devices with a ' +
      'battery last this long.',
    of: ({ energy }) => percentile(energy?.batteryLifeSeconds, 'p10'),
    ofPopulation: ({ energy }) => percentile(energy?.batteryLifeSeconds, 'p10'),
  },
  {
    name: 'batteryLife.p50',
    label: 'Battery life, median',
    unit: 'seconds',
    meaning:
      'Capacity over mean power, without updates, and self-discharge, the median over devices.',
    of: ({ energy }) => percentile(energy?.batteryLifeSeconds, 'p50'),
    ofPopulation: ({ energy }) => percentile(energy?.batteryLifeSeconds, 'p50'),
  },
  {
    name: 'energyPerUpdate',
    label: 'Energy of an update',
    unit: 'joules',
    meaning:
      'Listening to multicast sessions and writing flash memory for one update, the mean over ' +
      'campaigns and the devices that took part in each.',
    of: ({ energy }) => energy?.updates?.meanJoules ?? Number.NaN,
    ofPopulation: ({ energy }) => energy?.updates?.meanJoules ?? Number.NaN,
  },
  {
    name: 'energyPerUpdate.steadyTime',
    label: 'Time in which a device draws as much as for an update',
    unit: 'seconds',
    meaning: 'Energy of an update over the mean power of the same devices without updates.',
    of: ({ energy }) => DAY_S * (energy?.updates?.steadyDays ?? Number.NaN),
    ofPopulation: ({ energy }) => DAY_S * (energy?.updates?.steadyDays ?? Number.NaN),
  },
];
