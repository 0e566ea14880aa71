/** What devices and gateways are, in the words in which a platform asks for them. */
import type { AnswerRule } from '../plan/answer-rules.ts';
import type { DevicePlan, GatewayPlan, SpreadPlan } from '../plan/network-plan.ts';

export type { AnswerRule };

/** A device that comes into the network. */
export type NewDevice = DevicePlan;
/** A gateway that goes into service. */
export type NewGateway = GatewayPlan;
/** What a gateway is, wherever it stands and whatever it is called. */
export type GatewayHardware = Omit<GatewayPlan, 'name' | 'eui' | 'xMeters' | 'yMeters'>;

/** What is added to the latency of each message of a gateway's backhaul. */
export type Spread = SpreadPlan;

/** East and north of the world's middle, m. */
export interface Place {
  readonly xMeters: number;
  readonly yMeters: number;
}
