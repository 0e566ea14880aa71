/**
 * Commands of three subscribers of one world, each held against the reference model: refused if the
 * model has a reason, for one of its reasons, and carried out otherwise.
 */
import { expect } from 'vitest';
import { formatInstant } from '../../core/base/instant.ts';
import type { Command } from '../../core/command.ts';
import { classOf, type FailureClass } from '../../core/kit/failures.ts';
import {
  type Answered,
  type Answers,
  type AnyFailure,
  FAILURES,
  type PlatformCommand,
  type PlatformQuery,
} from '../../core/operations.ts';
import type { Query } from '../../core/query.ts';
import type { LogEntry } from '../../core/world/log.ts';
import type { WorldPlan } from '../../core/world/plan.ts';
import { World } from '../../core/world/world.ts';
import { USUAL_PACKAGES } from '../../sim/plan/packages-plan.ts';
import { asTold } from './answers.ts';
import { IMAGES, ServiceModel, WHO, type Who } from './service-model.ts';
import { eui, HOUR_US, networkOf } from './small-network.ts';

export const DAY_US = 24 * HOUR_US;
export const SEED = 'shared';
const START_MS = 1_767_225_600_000;
/** Rows of device types. */
const CLASS_C = 0;
export const CLASS_A = 1;
const WITHOUT_KEY = 2;

/** Two devices of Ann, one of Bob, one of Eve to begin with, and a gateway each. */
const DEVICES = [
  ['ann', CLASS_C],
  ['ann', WITHOUT_KEY],
  ['ann', CLASS_A],
  ['bob', CLASS_C],
  ['eve', CLASS_C],
] as const;
export const devEuiOf = (i: number) => eui('02', i + 1);
export const gatewayOf = (i: number) => eui('06', i + 1);
export const NOBODYS = devEuiOf(0xfe);

/** Devices speak every hour, those of class C within seconds of a command too. */
export function sharedPlan(uplinkEveryUs = HOUR_US): WorldPlan {
  const network = networkOf({
    devices: DEVICES.length,
    gatewaysAt: [100, 110, 120],
    traffic: { meanUs: uplinkEveryUs, jitterPpm: 100_000 },
  });
  const [type] = network.deviceTypes;
  const packages = { ...USUAL_PACKAGES, versionReportsUs: 6 * HOUR_US };
  const common = { ...type!, packages };
  const deviceTypes = [
    { ...common, name: 'valve', deviceClass: 'C' as const },
    { ...common, name: 'meter' },
    { ...common, name: 'foreign', deviceClass: 'C' as const, rootKeyKnown: false },
  ];
  const devices = network.devices.map((each, i) => ({ ...each, type: DEVICES[i]![1] }));
  return {
    name: 'shared',
    description: '',
    network: { ...network, startUnixMs: START_MS, deviceTypes, devices },
    owners: {
      devices: DEVICES.map(([who], i) => [devEuiOf(i), who] as const),
      gateways: WHO.map((who, i) => [gatewayOf(i), who] as const),
    },
    timeline: [],
  };
}

export class Driven {
  readonly plan: WorldPlan;
  readonly log: LogEntry[] = [];
  readonly model = new ServiceModel();
  world: World;
  names = 0;

  constructor(plan = sharedPlan()) {
    this.plan = plan;
    this.world = World.create(plan, SEED, this.options);
    DEVICES.forEach(([owner, type], i) => {
      const deviceClass = type === CLASS_A ? 'A' : 'C';
      this.model.addDevice({ id: devEuiOf(i), owner, deviceClass });
    });
    WHO.forEach((owner, i) => {
      this.model.gateways.set(gatewayOf(i), { id: gatewayOf(i), owner });
      for (const name of IMAGES) {
        this.model.images.add(`${owner}/${name}`);
        this.try(owner, { kind: 'image.create', name, bytes: new Uint8Array(120).fill(i + 1) });
      }
    });
  }

  get options() {
    return { log: (entry: LogEntry) => void this.log.push(entry) };
  }

  get nowMs(): number {
    return this.world.facts.unixMsOf(this.world.nowUs);
  }

  in(us: number): string {
    return formatInstant(this.nowMs + Math.floor(us / 1000));
  }

  try<Given extends PlatformCommand>(by: string, command: Given): Answered<Given['kind']> {
    const answer = this.world.submit({ ...command, by } as Command & Given);
    return asTold(command.kind, answer) as Answered<Given['kind']>;
  }

  /** What is answered, if the model has no reason against it; it may be that it `mayFail`. */
  give<Given extends PlatformCommand>(
    by: string,
    command: Given,
    reasons: readonly FailureClass[],
    mayFail: readonly FailureClass[] = [],
  ): Answers[Given['kind']] | undefined {
    const answer = this.try(by, command) as Answered<'campaign.create'>;
    const told = answer.ok ? 'ok' : this.#classOf(answer.failure);
    const words = answer.ok ? '' : ` (${answer.failure.code})`;
    const allowed = reasons.length === 0 ? ['ok', ...mayFail] : [...reasons, ...mayFail];
    expect(allowed, `${by}: ${command.kind}${words} is ${told}`).toContain(told);
    return answer.ok ? (answer.value as Answers[Given['kind']]) : undefined;
  }

  ask<Asked extends PlatformQuery>(by: string, query: Asked): Answered<Asked['kind']> {
    const answer = this.world.ask({ ...query, by } as Query & Asked);
    return asTold(query.kind, answer) as Answered<Asked['kind']>;
  }

  got<Asked extends PlatformQuery>(by: string, query: Asked): Answers[Asked['kind']] {
    const answer = this.ask(by, query) as { ok: boolean; value: Answers[Asked['kind']] };
    expect(answer, `${by}: ${query.kind}`).toMatchObject({ ok: true });
    return answer.value;
  }

  /** The class of a refusal; '' if it is none. */
  refusal(by: string, query: PlatformQuery): string {
    const answer = this.ask(by, query) as Answered<'campaign.get'>;
    return answer.ok ? '' : this.#classOf(answer.failure);
  }

  #classOf(failure: { readonly code: string; readonly path?: string }): FailureClass {
    return classOf(failure as Parameters<typeof classOf>[0] & { code: AnyFailure }, FAILURES);
  }

  /** An id that was never given before. */
  note(id: string): string {
    expect(this.model.ids.has(id), `${id} is given once`).toBe(false);
    this.model.ids.add(id);
    return id;
  }

  /** One of these things, of anybody, and who asks about it. */
  pick<Thing extends { readonly id: string; readonly owner: Who }>(
    things: ReadonlyMap<string, Thing>,
    { by, asOwner, a }: Chosen,
  ): readonly [thing: Thing | undefined, by: Who, id: string] {
    const thing = [...things.values()][a % Math.max(1, things.size)];
    return [thing, asOwner && thing !== undefined ? thing.owner : by, thing?.id ?? ''];
  }

  /** DevEUIs by the bits of a number; the sixth is of no device. */
  devEuis(bits: number): string[] {
    const all = [...this.model.devices.keys(), NOBODYS];
    return all.filter((_, i) => ((bits >> i) & 1) === 1);
  }

  gateway(n: number): string {
    return [...this.model.gateways.keys(), gatewayOf(8)][n % (this.model.gateways.size + 1)]!;
  }
}

/** Who does something, and two numbers that choose among what there is. */
export interface Chosen {
  readonly by: Who;
  readonly asOwner: boolean;
  readonly a: number;
  readonly b: number;
}
