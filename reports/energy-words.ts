/** What a device's energy goes into: words for people. */
import type { Cause } from './causes.ts';

const CAUSES: Readonly<Record<string, Cause>> = {
  uplink: { label: 'Uplinks', meaning: 'Sending data frames, repetitions included.' },
  join: { label: 'Joins', meaning: 'Sending join requests.' },
  rx1InVain: { label: 'RX1 in vain', meaning: 'First windows in which nothing for it came.' },
  rx1Frame: { label: 'RX1 with frame', meaning: 'First windows with a frame for it.' },
  rx2InVain: { label: 'RX2 in vain', meaning: 'Second windows in which nothing for it came.' },
  rx2Frame: { label: 'RX2 with frame', meaning: 'Second windows with a frame for it.' },
  classC: { label: 'Class C', meaning: 'Listening between its windows.' },
  multicast: { label: 'Multicast', meaning: 'Listening to fragments of an update.' },
  beacon: { label: 'Beacons', meaning: 'Class B: listening for beacons.' },
  ping: { label: 'Ping slots', meaning: 'Class B: listening in ping slots.' },
  mcu: {
    label: 'Microcontroller',
    meaning: 'Awake for transmissions and windows, waking the radio.',
  },
  flash: { label: 'Flash memory', meaning: 'Fragments and images written.' },
  sleep: { label: 'Sleep', meaning: 'All the rest of its life.' },
};

export const energyCause = (name: string): Cause => CAUSES[name] ?? { label: name, meaning: '' };

/** The greatest first. */
export const byAmount = (amounts: Readonly<Record<string, number>>): [string, number][] =>
  Object.entries(amounts).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
