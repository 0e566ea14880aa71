/**
 * Radio settings that the network changed by MAC commands, in the order of a device's session. From
 * then on the device may listen and send in other ways than the plan says (LoRaWAN 1.0.4 §4.3.1.1,
 * §5).
 */
import { versionRules } from '../../../sim/lorawan/versions.ts';
import type { DeviceReceives, DownlinkPlanned } from '../../../sim/observation/observer.ts';
import { commandsIn, type MacCommand } from './mac-commands.ts';
import { typeOf } from './planned.ts';
import type { PlannedChannel } from './regions.ts';
import { type DeviceStory, type Flight, isFlight, type Story } from './story.ts';

export interface RxParams {
  readonly rx1DrOffset: number;
  readonly dataRate: number;
  readonly frequencyHz: number;
}

export interface Dwells {
  readonly down: boolean;
  readonly up: boolean;
}

/** Values that were commanded in a session: each value once, the latest at the end. */
export interface MacSettings {
  /** Delays of RX1, s. */
  readonly delaysS: readonly number[];
  readonly rxParams: readonly RxParams[];
  readonly dwells: readonly Dwells[];
  /** Channels of NewChannelReq. */
  readonly channels: readonly PlannedChannel[];
  /** Frequencies of DlChannelReq. */
  readonly rx1Hz: readonly number[];
  /** ChMaskCntl and ChMask of LinkADRReq. */
  readonly masks: readonly ChannelMask[];
  /** Uplinks without an answer after which ADR back-off may turn channels on. */
  readonly backOffAfter: readonly number[];
}

export interface ChannelMask {
  readonly control: number;
  readonly bits: number;
}

export const NO_MAC_SETTINGS: MacSettings = {
  delaysS: [],
  rxParams: [],
  dwells: [],
  channels: [],
  rx1Hz: [],
  masks: [],
  backOffAfter: [],
};

const hertz = (payload: readonly number[], at: number): number =>
  100 * (payload[at]! + 256 * payload[at + 1]! + 65_536 * payload[at + 2]!);

/** ADR_ACK_LIMIT and twice ADR_ACK_DELAY: the first step only takes more power. */
const secondStep = (limitExp: number, delayExp: number): number =>
  (1 << limitExp) + 2 * (1 << delayExp);
const USUAL_SECOND_STEP = secondStep(6, 5);
/** Up to 1.0.3 the first step lowers the data rate already. */
const FIRST_STEP = (1 << 6) + (1 << 5);

/** The setting that a command carries, by identifier; commands without a setting have no entry. */
const SETTING_OF: Readonly<Record<number, (payload: readonly number[]) => Partial<MacSettings>>> = {
  3: (p) => ({ masks: [{ control: (p[3]! >> 4) & 7, bits: p[1]! + 256 * p[2]! }] }),
  5: (p) => {
    const rx1DrOffset = (p[0]! >> 4) & 7;
    return { rxParams: [{ rx1DrOffset, dataRate: p[0]! & 15, frequencyHz: hertz(p, 1) }] };
  },
  7: (p) => {
    const [lowest, highest] = [p[4]! & 15, p[4]! >> 4];
    return { channels: [{ frequencyHz: hertz(p, 1), lowest, highest }] };
  },
  8: (p) => ({ delaysS: [Math.max(1, p[0]! & 15)] }),
  9: (p) => ({ dwells: [{ down: (p[0]! & 32) !== 0, up: (p[0]! & 16) !== 0 }] }),
  10: (p) => ({ rx1Hz: [hertz(p, 1)] }),
  12: (p) => ({ backOffAfter: [secondStep(p[0]! >> 4, p[0]! & 15)] }),
};

/** The settings after one more command; the same object when nothing changes. */
function withCommand(settings: MacSettings, { cid, payload }: MacCommand): MacSettings {
  const more = SETTING_OF[cid]?.(payload);
  if (more === undefined) return settings;
  const [key, [thing]] = Object.entries(more)[0] as [keyof MacSettings, [unknown]];
  const text = JSON.stringify(thing);
  const known: readonly unknown[] = settings[key];
  if (known.length > 0 && JSON.stringify(known.at(-1)) === text) return settings;
  const others = known.filter((one) => JSON.stringify(one) !== text);
  return { ...settings, [key]: [...others, thing] };
}

const withCommandsOf = (
  settings: MacSettings,
  frame: DownlinkPlanned,
  { plan }: Story,
): MacSettings => commandsIn(frame, plan, 'down').commands.reduce(withCommand, settings);

/** Keeps what is derived of a story, for several laws look at it. */
function ofStory<Derived>(derive: (story: Story) => Derived): (story: Story) => Derived {
  const known = new WeakMap<Story, Derived>();
  return (story) => {
    const derived = known.get(story) ?? derive(story);
    known.set(story, derived);
    return derived;
  };
}

/** Frames that devices accepted, by what the trace says of the reception. */
export const framesAccepted = ofStory((story): Map<DeviceReceives, DownlinkPlanned> => {
  // The frame that a device accepted at that moment, as it was planned.
  const heard = new Map<string, DownlinkPlanned>();
  for (const { ends, planned } of story.downlinks) {
    if (planned[0] === undefined) continue;
    for (const { atUs, devices } of ends) {
      for (const { device, fate } of devices) {
        if (fate === 'received') heard.set(`${device} ${atUs}`, planned[0]);
      }
    }
  }
  const accepted = new Map<DeviceReceives, DownlinkPlanned>();
  for (const { receives } of story.devices.values()) {
    for (const row of receives) {
      const frame = heard.get(`${row.device} ${row.atUs}`);
      if (frame !== undefined) accepted.set(row, frame);
    }
  }
  return accepted;
});

/** What a device knows when it begins to send. */
export interface Knowledge {
  readonly settings: MacSettings;
  /**
   * Whether ADR back-off may have turned all of the region's channels on in this session: at its
   * second step (up to 1.0.3 its first) it takes slower data rates, and in the end all default
   * channels.
   */
  readonly mayUseAll: boolean;
}

/** A rejoin of type 2 renews the session and keeps the radio as it is (1.1 §6.2.4.4). */
const keepsRadio = (flight: Flight | undefined): boolean =>
  flight?.begins.purpose === 'rejoin' && flight.begins.phyPayload.slice(2, 4) === '02';

/** What each device knows at each of its flights, from the frames that it accepted. */
export const knowledge = ofStory((story): Map<Flight, Knowledge> => {
  const accepted = framesAccepted(story);
  const known = new Map<Flight, Knowledge>();
  for (const device of story.devices.values()) learn(device, story, accepted, known);
  return known;
});

function learn(
  device: DeviceStory,
  story: Story,
  accepted: ReadonlyMap<DeviceReceives, DownlinkPlanned>,
  known: Map<Flight, Knowledge>,
): void {
  const { adr, lorawan } = typeOf(story.plan, device.starts[0]?.device ?? '');
  const isUpTo103 = versionRules(lorawan).adrBackOff === 'dataRate';
  const usualPatience = isUpTo103 ? FIRST_STEP : USUAL_SECOND_STEP;
  let now: Knowledge = { settings: NO_MAC_SETTINGS, mayUseAll: false };
  let unanswered = 0;
  let latest: Flight | undefined;
  for (const event of device.events) {
    if (isFlight(event)) {
      const { purpose, attempt } = event.begins;
      const patience = Math.min(usualPatience, ...now.settings.backOffAfter);
      if (adr && unanswered >= patience && !now.mayUseAll) now = { ...now, mayUseAll: true };
      if (purpose === 'data' && attempt === 1) unanswered++;
      known.set(event, now);
      latest = event;
      continue;
    }
    const frame = accepted.get(event);
    if (event.purpose === 'join') {
      unanswered = 0;
      if (!keepsRadio(latest)) now = { settings: NO_MAC_SETTINGS, mayUseAll: false };
    } else if (frame !== undefined) {
      // What class C hears outside its windows answers nothing.
      if (frame.window !== 0) unanswered = 0;
      const settings = withCommandsOf(now.settings, frame, story);
      if (settings !== now.settings) now = { ...now, settings };
    }
  }
}

/**
 * The settings that the network had sent to a DevEUI before it planned a downlink, received or not:
 * until the device answers, the network assumes either the old or the new ones.
 */
export const settingsSent = ofStory((story): Map<DownlinkPlanned, MacSettings> => {
  const latest = new Map<string, MacSettings>();
  const before = new Map<DownlinkPlanned, MacSettings>();
  for (const row of story.rows) {
    if (row.kind !== 'downlinkPlanned' || row.purpose !== 'data') continue;
    const settings = latest.get(row.devEui) ?? NO_MAC_SETTINGS;
    before.set(row, settings);
    latest.set(row.devEui, withCommandsOf(settings, row, story));
  }
  return before;
});
