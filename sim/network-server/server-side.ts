/** The network's side: gateways, the network server, and what both keep. */

import type { Downlinks } from '../gateway/downlinks.ts';
import type { Gateways } from '../gateway/gateway.ts';
import type { Agenda } from '../kernel/agenda.ts';
import type { ByteSlots } from '../kernel/byte-slots.ts';
import type { FrameSecurity } from '../lorawan/frame-security.ts';
import type { Observer } from '../observation/observer.ts';
import type { StoryLog } from '../observation/stories/story-log.ts';
import type { Tally } from '../observation/tally.ts';
import type { ServerPlan } from '../plan/network-plan.ts';
import type { Beacons } from '../spectrum/beacons.ts';
import type { ChannelPlan } from '../spectrum/channel-plan.ts';
import type { ChannelSets } from '../spectrum/channel-set.ts';
import type { DutyCycle } from '../spectrum/duty-cycle.ts';
import type { ClassBRegistrations } from './class-b-registrations.ts';
import type { Collector } from './collector.ts';
import type { DownlinkQueue } from './downlink-queue.ts';
import type { ServerListener } from './listener.ts';
import type { MacRequests } from './mac-commands/requests.ts';
import type { MulticastGroups } from './multicast-groups.ts';
import type { Registrations } from './registrations.ts';

export interface ServerSide {
  readonly settings: ServerPlan;
  /** GPS time of the world's start, µs. */
  readonly gpsStartUs: number;
  readonly plan: ChannelPlan;
  readonly channelSets: ChannelSets;
  readonly registrations: Registrations;
  readonly collector: Collector;
  readonly queue: DownlinkQueue;
  /** MAC commands on their way to devices. */
  readonly requests: MacRequests;
  readonly security: FrameSecurity;
  readonly agenda: Agenda;
  readonly slots: ByteSlots;
  readonly gateways: Gateways;
  readonly downlinks: Downlinks;
  /** The server's book of its gateways' air time: one account per gateway and sub-band. */
  readonly dutyCycle: DutyCycle;
  readonly tally: Tally;
  readonly beacons: Beacons;
  readonly classB: ClassBRegistrations;
  readonly multicast: MulticastGroups;
  /** The platform, if there is one. */
  readonly listener: ServerListener;
  readonly observer: Observer | undefined;
  /** Receives seldom rows: the observer, and who stores stories. */
  readonly witness: Observer | undefined;
  readonly stories: StoryLog | undefined;
}
