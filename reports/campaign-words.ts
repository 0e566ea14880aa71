/** What the stages, steps, failures and losses of a campaign are called: words for people. */
import { type Cause, downlinkCause } from './causes.ts';

/** Why a device failed (`CampaignResult.failures`). */
const FAILURES: Readonly<Record<string, Cause>> = {
  notJoined: { label: 'Not joined', meaning: 'The device had no session with the network.' },
  noAnswer: { label: 'No answer', meaning: 'The device answered none of the requests in time.' },
  clockNotSynchronized: {
    label: 'Clock not set',
    meaning: "The device's clock was too far off to open its windows on time.",
  },
  multicastSetupRefused: {
    label: 'Group refused',
    meaning: 'The device refused the multicast group or its key.',
  },
  multicastSessionRefused: {
    label: 'Session refused',
    meaning: 'The device refused the data rate, frequency or start of the multicast session.',
  },
  fragmentationRefused: {
    label: 'Image refused',
    meaning: 'The device has no memory for the image, or does not accept its descriptor.',
  },
  startMissed: {
    label: 'Start missed',
    meaning: 'The device was told of the session only after it had begun.',
  },
  incomplete: {
    label: 'Fragments missing',
    meaning: 'Too few fragments arrived to rebuild the image, even after the repairs.',
  },
  micError: { label: 'Image damaged', meaning: 'The rebuilt image failed its integrity check.' },
  imageInvalid: { label: 'Image invalid', meaning: 'The device did not accept the image.' },
  notRebooted: { label: 'Not rebooted', meaning: 'The device did not start the new image.' },
  wrongVersion: {
    label: 'Wrong version',
    meaning: 'After the update the device reported another version than the expected one.',
  },
  noVersion: {
    label: 'Version unknown',
    meaning: 'After the update the device did not report which version it runs.',
  },
  halted: { label: 'Halted', meaning: 'The campaign was halted before the device was done.' },
  removed: { label: 'Removed', meaning: 'The device was removed from the network.' },
  timeout: { label: 'Out of time', meaning: 'The campaign ended before the device was done.' },
};

/** Why a device missed a fragment (`CampaignResult.fragmentLosses`). */
const FRAGMENT_LOSSES: Readonly<Record<string, Cause>> = {
  notListening: {
    label: 'Not listening',
    meaning: 'The session was not open on the device: not set up, too late, or closed already.',
  },
  ownUplink: {
    label: 'Device busy',
    meaning: 'The device sent an uplink, or listened for the answer to it.',
  },
  lockedOnOther: {
    label: 'Other frame',
    meaning: 'The device was receiving another frame already.',
  },
  tooWeak: { label: 'Too weak', meaning: "Below the device's sensitivity." },
  outOfReach: { label: 'Out of reach', meaning: 'No gateway of the campaign reaches the device.' },
};

/** A reason without words of its own is called by its name, spelled out. */
export function failureCause(name: string): Cause {
  return Object.hasOwn(FAILURES, name) ? FAILURES[name]! : { label: spelled(name), meaning: '' };
}

/** Fragments are downlinks: causes without words here have those of downlinks. */
export function fragmentCause(name: string): Cause {
  if (Object.hasOwn(FRAGMENT_LOSSES, name)) return FRAGMENT_LOSSES[name]!;
  const cause = downlinkCause(name);
  return cause.meaning === '' ? { label: spelled(name), meaning: '' } : cause;
}

/** `multicastSetup` and `MULTICAST_SETUP` as `Multicast setup`; other texts as they are. */
export function spelled(name: string): string {
  if (!/^[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*$/.test(name)) return name;
  const shouted = name === name.toUpperCase();
  const words = (shouted ? name.toLowerCase() : name)
    .replaceAll('_', ' ')
    .replace(/([a-z0-9])([A-Z])/g, (_, end: string, start: string) => `${end} ${start}`)
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
