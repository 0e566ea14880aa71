/** Figures of data delivery: what was delivered to targets, and alerts on gateways. */
import { CHANGE_FATES, DELIVERY_FATES } from '../../core/result/delivery.ts';
import { CHANGE_WORDS, DELIVERY_WORDS } from '../text/words.ts';
import type { Row } from './figure.ts';

export const DELIVERIES: readonly Row[] = [
  {
    name: 'deliveries.accepted',
    label: 'Deliveries accepted',
    unit: 'share',
    meaning: 'Deliveries that a receiver has answered with success, over all deliveries.',
    parts: ({ deliveries }) => [deliveries?.fates.delivered ?? 0, deliveries?.emitted ?? 0],
    key: 'measured',
  },
  {
    name: 'deliveries.emitted',
    label: 'Deliveries',
    unit: 'count',
    meaning: 'Uplinks and events that were to be delivered, one for each target.',
    of: ({ deliveries }) => deliveries?.emitted ?? 0,
  },
  ...DELIVERY_FATES.map(
    (fate): Row => ({
      name: `deliveries.${fate}`,
      label: `Deliveries: ${DELIVERY_WORDS[fate].label.toLowerCase()}`,
      unit: 'count',
      meaning: `Deliveries by outcome. ${DELIVERY_WORDS[fate].meaning}`,
      of: ({ deliveries }) => deliveries?.fates[fate] ?? 0,
    }),
  ),
  {
    name: 'deliveries.attempts',
    label: 'Attempts to deliver',
    unit: 'count',
    meaning: 'Attempts at receivers of the scenario.',
    of: ({ deliveries }) => deliveries?.attempts ?? 0,
  },
  {
    name: 'deliveries.duplicates',
    label: 'Duplicates at receivers',
    unit: 'count',
    meaning: 'Deliveries that receivers of the scenario have another time.',
    of: ({ deliveries }) =>
      (deliveries?.receivers ?? []).reduce((all, { duplicates }) => all + duplicates, 0),
  },
];

export const ALERTS: readonly Row[] = [
  {
    name: 'alerts.changes',
    label: 'Changes of connectivity',
    unit: 'count',
    meaning: 'Times that monitored gateways went online or offline.',
    of: ({ alerts }) => alerts?.changes ?? 0,
  },
  ...CHANGE_FATES.map(
    (fate): Row => ({
      name: `alerts.${fate}`,
      label: `Changes of connectivity: ${CHANGE_WORDS[fate].label.toLowerCase()}`,
      unit: 'count',
      meaning: `Changes by outcome. ${CHANGE_WORDS[fate].meaning}`,
      of: ({ alerts }) => alerts?.fates[fate] ?? 0,
    }),
  ),
];

export const CONFIGURATIONS: readonly Row[] = [
  {
    name: 'configurations.set',
    label: 'Devices set as desired',
    unit: 'share',
    meaning: 'Devices that really are set as is desired, over those whose settings are known.',
    parts: ({ configurations: { populations = [] } = {} }) => {
      const known = populations.filter(({ set }) => set !== null);
      return [sum(known, ({ set }) => set ?? 0), sum(known, ({ devices }) => devices)];
    },
    key: 'measured',
  },
  {
    name: 'configurations.applied',
    label: 'Configurations applied',
    unit: 'share',
    meaning: 'Devices whose latest rollout is applied as the service believes, over all desired.',
    parts: ({ configurations: { populations = [] } = {} }) => [
      sum(populations, ({ status }) => status.applied ?? 0),
      sum(populations, ({ devices }) => devices),
    ],
    key: 'measured',
  },
];

const sum = <Each>(all: readonly Each[], of: (each: Each) => number): number =>
  all.reduce((total, each) => total + of(each), 0);
