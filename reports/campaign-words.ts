/** What the stages, steps, failures and losses of a campaign are called: words for people. */
import { type Cause, DEVICE_BUSY, downlinkCause } from './causes.ts';

/** Why a device failed, by the reasons of the firmware update service's campaigns. */
const FAILURES: Readonly<Record<string, string>> = {
  'no uplink': 'The device was never heard while the campaign waited for it.',
  'no plan': 'No data rate and gateway reach the device.',
  'no key': 'Nobody uploaded the key that the multicast group is set up with.',
  halted: 'The campaign was halted before the device was done.',
  'device removed': 'The device was taken out of the network.',
  'set-up unanswered':
    'The device spoke, but did not answer the set-up, however often it was sent.',
  'clock drift': "The device's clock stayed wrong, although it was corrected.",
  'McGroupID unsupported': 'The device has no room for the multicast group.',
  'multicast group undefined': 'The device no longer knew the multicast group.',
  'encoding unsupported': 'The device does not know this way to fragment an image.',
  'not enough memory': 'The image, or the search for its missing parts, needs more memory.',
  'FragIndex unsupported': 'The device has no free place for an image.',
  'wrong descriptor': 'The device does not accept images of this kind.',
  'DR unsupported': 'The device cannot receive at the data rate of the session.',
  'frequency unsupported': 'The device cannot receive on the frequency of the session.',
  'session missed':
    'The device took none of the fragments: its session was not open when they were sent, or it ' +
    'could not hear or open them.',
  'no beacon': 'The device heard no beacon, so it opened no ping slot for the fragments.',
  'missing fragments': 'Too few fragments arrived to rebuild the image, even with the repairs.',
  'MIC error': 'The rebuilt image is not the one that was announced.',
  'session counter replayed': 'The device has seen this number of a fragmentation session before.',
  'version mismatch':
    'After the update the device reported another version than the expected one, or none.',
};

/** Why a device missed a fragment (`CampaignResult.fragmentLosses`). */
const FRAGMENT_LOSSES: Readonly<Record<string, Cause>> = {
  notListening: {
    label: 'Not listening',
    meaning: 'The session was not open on the device: not set up, too late, or closed already.',
  },
  noBeacon: {
    label: 'No beacon',
    meaning: 'In class B: no beacon was heard in the last 120 minutes, so no ping slot was open.',
  },
  ownUplink: DEVICE_BUSY,
  lockedOnOther: {
    label: 'Other frame',
    meaning: 'The device was receiving another frame already.',
  },
  tooWeak: { label: 'Too weak', meaning: "Below the device's sensitivity." },
  outOfReach: { label: 'Out of reach', meaning: 'No gateway of the campaign reaches the device.' },
};

/** A reason without an explanation has its name only. */
export function failureCause(name: string): Cause {
  return { label: spelled(name), meaning: Object.hasOwn(FAILURES, name) ? FAILURES[name]! : '' };
}

/** Fragments are downlinks: causes without words here have those of downlinks. */
export function fragmentCause(name: string): Cause {
  if (Object.hasOwn(FRAGMENT_LOSSES, name)) return FRAGMENT_LOSSES[name]!;
  const cause = downlinkCause(name);
  return cause.meaning === '' ? { label: spelled(name), meaning: '' } : cause;
}

/** `clockSync`, `CLOCK_SYNC` and `clock sync` as `Clock sync`; other texts as they are. */
export function spelled(name: string): string {
  if (/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(name)) {
    return name.charAt(0) + name.slice(1).replaceAll('_', ' ').toLowerCase();
  }
  if (!/^[a-z][A-Za-z0-9 -]*$/.test(name)) return name;
  const words = name.replace(/(?<=[a-z0-9])[A-Z]/g, (start) => ` ${start.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
