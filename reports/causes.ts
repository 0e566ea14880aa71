/** What the fates of frames are called and what each of them means: words for people. */

export interface Cause {
  readonly label: string;
  readonly meaning: string;
}

/** Fates of an uplink transmission at the gateways (`RadioResult.lost`, `GatewayResult.fates`). */
const UPLINK_CAUSES: Readonly<Record<string, Cause>> = {
  received: { label: 'Received', meaning: 'Demodulated with its checksum right.' },
  interfered: { label: 'Interfered', meaning: 'Other transmissions on the air were too strong.' },
  tooWeak: { label: 'Too weak', meaning: 'Below the sensitivity of every gateway in reach.' },
  noise: { label: 'Noise', meaning: 'Strong enough to be noticed, not to be read without error.' },
  noPath: { label: 'No free path', meaning: 'Every reception path of the gateway was taken.' },
  offChannel: { label: 'Other channel', meaning: 'No gateway listens on the channel.' },
  offChannelAfterBackOff: {
    label: 'Other channel, backed off',
    meaning: 'Unanswered for long, the device turned on channels that no gateway listens on.',
  },
  halfDuplex: { label: 'Gateway sending', meaning: 'The gateway transmits and hears nothing.' },
  frameLoss: { label: 'Stated loss', meaning: "The scenario's frame loss, on top of physics." },
};

/** Why a downlink was not sent, or did not reach its device (`DownlinkResult`). */
const DOWNLINK_CAUSES: Readonly<Record<string, Cause>> = {
  noBudget: { label: 'No airtime left', meaning: "No gateway's duty cycle had room for it." },
  dutyCycle: { label: 'Duty cycle', meaning: 'The sub-band has no airtime left.' },
  noGateway: { label: 'No gateway', meaning: 'No gateway that could send it is known.' },
  gatewayGone: { label: 'Gateway gone', meaning: 'The gateway was removed before it could send.' },
  tooLateForWindows: { label: 'Windows past', meaning: 'The receive windows could not be met.' },
  tooLong: { label: 'Too long', meaning: 'The data rate of the windows has no room for it.' },
  tooLate: { label: 'Too late', meaning: 'It reached the gateway after its time to be sent.' },
  tooEarly: { label: 'Too early', meaning: 'It reached the gateway too long before its time.' },
  queueFull: { label: 'Queue full', meaning: "The gateway's transmit queue had no place left." },
  collision: { label: 'Time taken', meaning: 'The gateway already sends at that time.' },
  channelBusy: { label: 'Channel busy', meaning: 'The gateway heard another on the channel.' },
  collisionBeacon: { label: 'Beacon time', meaning: 'It would have disturbed a beacon.' },
  backhaulLoss: { label: 'Backhaul loss', meaning: 'Lost between server and gateway.' },
  notListening: { label: 'Not listening', meaning: 'The device had no receive window open.' },
  notHeard: { label: 'Not heard', meaning: 'The device did not lock on its preamble.' },
  notForMe: {
    label: 'Not accepted',
    meaning: 'The device had another session by then, or had heard a later frame.',
  },
  ownTransmission: { label: 'Device sending', meaning: 'The device itself was transmitting.' },
  halfDuplex: { label: 'Device sending', meaning: 'The device itself was transmitting.' },
  tooWeak: { label: 'Too weak', meaning: "Below the device's sensitivity." },
  noise: { label: 'Noise', meaning: 'Strong enough to be noticed, not to be read without error.' },
  interfered: { label: 'Interfered', meaning: 'Other transmissions on the air were too strong.' },
  frameLoss: { label: 'Stated loss', meaning: "The scenario's frame loss, on top of physics." },
};

export const DEVICE_BUSY: Cause = {
  label: 'Device busy',
  meaning: 'The device sent an uplink, or listened for the answer to it.',
};

/** Why a device missed a beacon that it looked for (`BeaconResult.missed`); others as downlinks. */
const BEACON_CAUSES: Readonly<Record<string, Cause>> = {
  outOfReach: {
    label: 'Out of reach',
    meaning: 'No gateway with GPS time in reach sent it where the device looks.',
  },
  ownUplink: DEVICE_BUSY,
};

/** A cause without words of its own is shown by its name. */
export const beaconCause = (name: string): Cause =>
  Object.hasOwn(BEACON_CAUSES, name) ? BEACON_CAUSES[name]! : downlinkCause(name);

/** A cause without words of its own is shown by its name. */
export function uplinkCause(name: string): Cause {
  return own(UPLINK_CAUSES, name);
}

/** A cause without words of its own is shown by its name. */
export function downlinkCause(name: string): Cause {
  return own(DOWNLINK_CAUSES, name);
}

function own(causes: Readonly<Record<string, Cause>>, name: string): Cause {
  const cause = Object.hasOwn(causes, name) ? causes[name] : undefined;
  return cause ?? { label: name, meaning: '' };
}

/** Entries of a record of counts, the highest first, equal ones by name. */
export function byCount(counts: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(counts).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
}
