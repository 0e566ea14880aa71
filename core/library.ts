/**
 * The public face `fleetwave/core`: worlds. A world is a pure function of a plan, a seed and a log
 * of commands, and does nothing by itself: its host decides how far its clock advances.
 *
 *     const world = World.create(plan, 'a seed');      // a plan is made by fleetwave/scenarios
 *     world.runUntil(3_600_000_000);                   // virtual time, whole µs since its start
 *     world.submit({ kind: 'device.reboot', by: 'default', devEui });
 *     world.ask({ kind: 'campaign.list', by: 'default' });
 *     world.result();                                  // plain data, as result.json has it
 *
 * `submit` and `ask` answer `{ ok: true, value }` or `{ ok: false, failure }` with a code and a
 * sentence; commands, queries, their fields, units and answers are those of docs/operations.md, and
 * `OPERATIONS` lists them. What throws is a broken invariant, which stops the world for good, or a
 * TypeError about options that are none.
 */

export type { Result } from '../sim/base/result.ts';
export type { News } from '../sim/contract/news.ts';
export type { Observer, TraceRow } from '../sim/observation/observer.ts';
export type {
  DevicePlan,
  DeviceTypePlan,
  GatewayPlan,
  NetworkPlan,
} from '../sim/plan/network-plan.ts';
export type { Content } from './base/contents.ts';
export type { CodecEngine } from './codecs/engine.ts';
export type { Command, TimedCommand } from './command.ts';
export type { Effect, Effects } from './delivery/deliveries/effects.ts';
export type { NewsAbout } from './kit/resource.ts';
export { type Answered, OPERATIONS, type OperationKind } from './operations.ts';
export type { Query } from './query.ts';
export type { ExpectationResult, RunResult, WorldResult } from './result/result.ts';
export type { Refused } from './world/guard.ts';
export type { Admitted, LogEntry } from './world/log.ts';
export type { WorldOptions } from './world/options.ts';
export type { RunPlan, WorldPlan } from './world/plan.ts';
export { type Run, type Snapshot, World } from './world/world.ts';
