/** Notation for tests of resources: subscribers on a bench who command and ask. */

import { ownView } from '../../../core/base/own-view.ts';
import type { OwnView } from '../../../core/base/subscribers.ts';
import { DEFAULT_SUBSCRIBER, Owners } from '../../../core/base/subscribers.ts';
import type {
  Answered,
  Answers,
  PlatformCommand,
  PlatformQuery,
} from '../../../core/operations.ts';
import { fromHex } from '../../../sim/base/bytes.ts';
import type { Failure, Result } from '../../../sim/base/result.ts';
import { DevVersionAns } from '../../../sim/lorawan/packages/ts006-firmware.ts';
import { asReported } from '../../support/answers.ts';
import { Bench, type BenchOptions } from '../bench.ts';
import type { Script } from '../scripted-device.ts';

export const NORTH = 'AA00000000000001';
export const SOUTH = 'AA00000000000002';

export class Subscriber {
  readonly bench: Bench;
  readonly by: string;

  constructor(bench: Bench, by: string) {
    this.bench = bench;
    this.by = by;
  }

  try<Given extends PlatformCommand>(command: Given): Answered<Given['kind']> {
    return this.bench.try({ ...command, by: this.by }) as Answered<Given['kind']>;
  }

  tryAsk<Asked extends PlatformQuery>(query: Asked): Answered<Asked['kind']> {
    const answer = this.bench.platform.ask({ ...query, by: this.by }, this.bench.nowUs);
    return asReported(query.kind, answer as Answered<Asked['kind']>);
  }

  do<Given extends PlatformCommand>(command: Given): Answers[Given['kind']] {
    return got(this.try(command) as Result<Answers[Given['kind']]>);
  }

  ask<Asked extends PlatformQuery>(query: Asked): Answers[Asked['kind']] {
    return got(this.tryAsk(query) as Result<Answers[Asked['kind']]>);
  }

  /** The code of the failure that a command meets. */
  refused(command: PlatformCommand): string {
    return failureOf(this.try(command)).code;
  }

  refusedQuery(query: PlatformQuery): string {
    return failureOf(this.tryAsk(query)).code;
  }

  /** Makes devices that are this subscriber's; DevEUIs. */
  devices(count: number, script: (i: number) => Partial<Script> = () => ({})): string[] {
    const devEuis = this.bench.add(count, script);
    const devices = devEuis.map((devEui) => [devEui, this.by] as const);
    this.bench.platform.onPlanned({ devices, gateways: [] });
    return devEuis;
  }

  /** A device reports its version, unasked, as TS006 has it. */
  report(devEui: string, versionHex: string): void {
    const [fw, hw] = [versionHex.slice(0, 8), versionHex.slice(8)].map((word) =>
      Number.parseInt(word, 16),
    ) as [number, number];
    const payload = DevVersionAns.encode({ fwVersion: fw, hwVersion: hw });
    this.hear(devEui, 203, payload);
  }

  /** An uplink of a device, now. */
  hear(devEui: string, fPort: number, payload: Uint8Array): void {
    const { nowUs } = this.bench;
    const at = { atUs: nowUs, endedAtUs: nowUs };
    const uplink = { devEui, ...at, fCnt: 0, fPort, payload, dataRate: 5 };
    this.bench.platform.hear({ kind: 'uplink', uplink }, nowUs);
    this.bench.drain();
  }

  upload(name: string, bytesHex = '00', tags: readonly string[] = []) {
    return this.do({ kind: 'image.create', name, bytes: fromHex(bytesHex), tags });
  }
}

export function got<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.value;
}

export function failureOf(result: Result<unknown>): Failure {
  if (result.ok) throw new Error('a refusal was expected');
  return result.failure;
}

/** A bench with the default subscriber of scenarios. */
export function service(options: BenchOptions = { gateways: [NORTH, SOUTH] }): Subscriber {
  return new Subscriber(new Bench(options), 'default');
}

/** What a resource is shown that stands alone: all of the bench's network, as the default owner. */
export const viewOfAll = ({ view }: Bench): OwnView =>
  ownView(view, new Owners(), DEFAULT_SUBSCRIBER);

/** Two subscribers of one platform. */
export function annAndBob(): readonly [ann: Subscriber, bob: Subscriber] {
  const bench = new Bench({ gateways: [NORTH, SOUTH] });
  const gateways = [[NORTH, 'ann'] as const, [SOUTH, 'bob'] as const];
  // Of the bench's types one is hers, one is his, and the others are everybody's.
  bench.platform.onPlanned({ devices: [], gateways, deviceTypes: ['ann', 'bob'] });
  return [new Subscriber(bench, 'ann'), new Subscriber(bench, 'bob')];
}
