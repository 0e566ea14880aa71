/**
 * About what a run will cost, said before it: frames, CPU time and memory of one process. The
 * constants were measured on the library and on the rows of `npm run bench:cliffs`; a machine may
 * be twice as fast or as slow.
 */
import { CAMPAIGN } from '../../core/update-service/campaigns/commands.ts';
import type { WorldPlan } from '../../core/world/plan.ts';
import { HOUR_US, SECOND_US } from '../../sim/base/units.ts';
import { BEACON_PERIOD_S } from '../../sim/lorawan/class-b.ts';
import type { DeviceTypePlan, NetworkPlan } from '../../sim/plan/network-plan.ts';
import { BEACONS_STORED } from '../../sim/radio/beacon-log.ts';
import { type LinkForecast, linkForecast } from './links.ts';
import type { SessionForecast } from './set-up.ts';

export interface CostForecast {
  readonly uplinks: number;
  readonly cpuSeconds: number;
  /** Of these the world's own: all but the start of the program. */
  readonly worldSeconds: number;
  readonly bytes: number;
}

/** Seconds of CPU: the start, a device, a gateway, a member of a campaign. */
const START_S = 0.4;
const DEVICE_S = 6e-5;
const GATEWAY_S = 7e-5;
const MEMBER_S = 1.2e-3;
/** An uplink, and each copy of it: of the first gateways that hear it, and of those beyond. */
const UPLINK_S = 9e-6;
const COPY_S = 0.35e-6;
const FURTHER_COPY_S = 1.6e-6;
/**
 * Code is slow until the engine has optimised it: in total; half of it within this number of
 * uplinks.
 */
const WARM_UP_S = 2;
const WARM_UP_UPLINKS = 8_000;
/** A beacon of a gateway; a look of a device of class B at one, and at each copy of it. */
const BEACON_S = 6e-6;
const BEACON_LOOK_S = 5e-6;
const BEACON_COPY_S = 0.2e-6;
const BEACONS_AN_UPLINK = 8;
/** A command of the timeline: to a device or gateway that is there, and a frame to one. */
const COMMAND_S = 9e-6;
const DOWNLINK_S = 2.5e-4;
/** A fragment at a member; a word of a block that a coded fragment adds up. */
const FRAGMENT_S = 2e-6;
const CODED_WORD_S = 3.3e-9;
/** Gateways whose copies of an uplink are the first ones. */
const FIRST_COPIES = 12;

/** Bytes: the program, a device, a gateway, a link, a member of a campaign, its fragment. */
const PROGRAM_BYTES = 90e6;
const DEVICE_BYTES = 2_000;
const GATEWAY_BYTES = 10_000;
const LINK_BYTES = 8;
const MEMBER_BYTES = 1_500;
const FRAGMENT_BYTES = 50;
/** A gateway's copy of a beacon that is stored; what a device of class B has beside others. */
const BEACON_COPY_BYTES = 300;
const CLASS_B_BYTES = 100;
/** A command that is stored, or changes links; a frame that waits in a line. */
const COMMAND_BYTES = 24;
const DOWNLINK_BYTES = 6_000;

/** What a campaign leaves to the service. */
const USUAL_FRAG_SIZE = 100;
const WORD_BYTES = 4;

/** A frame of a list with its windows, before which a device does not send the next. */
const LISTED_US = 2 * SECOND_US;

/** Frames of a join, retries included. */
const JOIN_FRAMES = 1.5;

export function costOf(
  plan: WorldPlan & { readonly durationUs?: number },
  sessions: readonly SessionForecast[],
): CostForecast {
  const { network, durationUs = HOUR_US } = plan;
  const { devices, deviceTypes, gateways } = network;
  const counts = deviceTypes.map(() => 0);
  for (const { type } of devices) counts[type]! += 1;
  const uplinks = deviceTypes.reduce(
    (sum, type, i) => sum + counts[i]! * uplinksOf(type, durationUs, counts[i]!),
    0,
  );
  const members = sessions
    .filter(({ beginsAtUs }) => beginsAtUs < durationUs)
    .reduce((sum, one) => sum + one.members, 0);
  const reach = linkForecast(network);
  const beacons = beaconsOf(network, durationUs);
  const commands = commandsOf(plan, durationUs);
  const images = imagesOf(plan, sessions, durationUs);
  const worldSeconds =
    devices.length * DEVICE_S +
    gateways.length * GATEWAY_S +
    uplinks * uplinkSeconds(reach) +
    warmUpSeconds(uplinks + beacons.sent / BEACONS_AN_UPLINK) +
    beacons.sent * BEACON_S +
    beacons.looks * (BEACON_LOOK_S + reach.links * BEACON_COPY_S) +
    commands.seconds +
    members * MEMBER_S +
    images.seconds;
  const bytes =
    PROGRAM_BYTES +
    devices.length * (DEVICE_BYTES + reach.links * LINK_BYTES) +
    gateways.length * GATEWAY_BYTES +
    beacons.bytes +
    commands.bytes +
    members * MEMBER_BYTES +
    images.bytes;
  const cpuSeconds = START_S + worldSeconds;
  return { uplinks: Math.round(uplinks), cpuSeconds, worldSeconds, bytes };
}

const uplinkSeconds = ({ heardBy }: LinkForecast): number =>
  UPLINK_S +
  Math.min(FIRST_COPIES, heardBy) * COPY_S +
  Math.max(0, heardBy - FIRST_COPIES) * FURTHER_COPY_S;

const warmUpSeconds = (uplinks: number): number =>
  (WARM_UP_S * uplinks) / (uplinks + WARM_UP_UPLINKS);

/** Beacons of gateways with GPS time, looks at them of devices that follow them, and memory. */
function beaconsOf({ gateways, devices, deviceTypes }: NetworkPlan, durationUs: number) {
  const each = durationUs / (BEACON_PERIOD_S * SECOND_US);
  const senders = gateways.filter(({ gps }) => gps).length;
  const followers = devices.filter(({ type }) => deviceTypes[type]!.deviceClass === 'B').length;
  const bytes =
    senders * Math.min(BEACONS_STORED, each) * BEACON_COPY_BYTES + followers * CLASS_B_BYTES;
  return { sent: senders * each, looks: senders === 0 ? 0 : followers * each, bytes };
}

/** Commands of the timeline that come before the end, one for each thing that an entry names. */
function commandsOf({ timeline }: WorldPlan, durationUs: number) {
  let [bytes, seconds] = [0, 0];
  for (const { atUs, command, each } of timeline) {
    if (atUs >= durationUs) continue;
    const things = each?.length ?? 1;
    const isFrame = command.kind === 'downlink.enqueue';
    bytes += things * (isFrame ? DOWNLINK_BYTES : COMMAND_BYTES);
    seconds += things * (isFrame ? DOWNLINK_S : COMMAND_S);
  }
  return { bytes, seconds };
}

/** Images on their way: fragments at each member, and the block as it is coded and rebuilt. */
function imagesOf(
  { timeline }: WorldPlan,
  sessions: readonly SessionForecast[],
  durationUs: number,
) {
  const sizes = new Map<string, number>();
  let [seconds, bytes] = [0, 0];
  for (const { command } of timeline) {
    if (command.kind === 'image.create') sizes.set(command.name, command.bytes.length);
    if (command.kind !== 'campaign.create' && command.kind !== 'followUp.create') continue;
    const { campaign } = command;
    const name = campaign.name ?? campaign.image_name;
    const session = sessions.find((one) => one.campaign === name);
    if (session === undefined || session.beginsAtUs >= durationUs) continue;
    const fragSize = campaign.frag_size ?? USUAL_FRAG_SIZE;
    const count = Math.ceil((sizes.get(campaign.image_name) ?? 0) / fragSize);
    const coded = count * (campaign.redundancy ?? CAMPAIGN.redundancy.default);
    const words = (coded * count * fragSize) / (2 * WORD_BYTES);
    seconds += session.members * (count + coded) * FRAGMENT_S + words * CODED_WORD_S;
    bytes += session.members * (count + coded) * FRAGMENT_BYTES;
  }
  return { seconds, bytes };
}

/** Uplinks of one device of a type; of lists, on average. */
function uplinksOf(
  { traffic, activation, nbTrans }: DeviceTypePlan,
  durationUs: number,
  devices: number,
): number {
  const joins = activation === 'otaa' ? JOIN_FRAMES : 0;
  if (traffic.process === 'none') return joins;
  if (traffic.listed !== undefined) {
    const most = durationUs / LISTED_US;
    const sent = Object.values(traffic.listed).map(({ atUs }) =>
      Math.min(most, nbTrans * atUs.filter((at) => at < durationUs).length),
    );
    return joins + sent.reduce((sum, each) => sum + each, 0) / Math.max(1, devices);
  }
  return joins + (nbTrans * durationUs) / Math.max(SECOND_US, traffic.meanUs);
}
