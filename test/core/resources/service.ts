/** Notation for tests of resources: subscribers on a bench who command and ask. */

import type { AnswerTo } from '../../../core/command.ts';
import type { PlatformCommand, PlatformQuery } from '../../../core/operations.ts';
import type { AnswerOf } from '../../../core/query.ts';
import type { Failure, Result } from '../../../sim/base/result.ts';
import { DevVersionAns } from '../../../sim/lorawan/packages/ts006-firmware.ts';
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

  try<Given extends PlatformCommand>(command: Given): Result<AnswerTo<Given>> {
    const answer = this.bench.platform.execute({ ...command, by: this.by }, this.bench.nowUs);
    this.bench.drain();
    return answer as Result<AnswerTo<Given>>;
  }

  tryAsk<Asked extends PlatformQuery>(query: Asked): Result<AnswerOf<Asked>> {
    const answer = this.bench.platform.ask({ ...query, by: this.by }, this.bench.nowUs);
    return answer as Result<AnswerOf<Asked>>;
  }

  do<Given extends PlatformCommand>(command: Given): AnswerTo<Given> {
    return got(this.try(command));
  }

  ask<Asked extends PlatformQuery>(query: Asked): AnswerOf<Asked> {
    return got(this.tryAsk(query));
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
    for (const devEui of devEuis) this.bench.platform.onDeviceCreated(this, devEui);
    return devEuis;
  }

  /** A device tells its version, unasked, as TS006 has it. */
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
    this.bench.platform.onUplink({ devEui, ...at, fCnt: 0, fPort, payload, dataRate: 5 });
    this.bench.drain();
  }

  upload(name: string, bytesHex = '00', tags: readonly string[] = []) {
    return this.do({ kind: 'image.create', name, bytesHex, tags });
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

/** Two subscribers of one platform. */
export function annAndBob(): readonly [ann: Subscriber, bob: Subscriber] {
  const bench = new Bench({ gateways: [NORTH, SOUTH] });
  bench.platform.onGatewayCreated({ by: 'ann' }, NORTH);
  bench.platform.onGatewayCreated({ by: 'bob' }, SOUTH);
  return [new Subscriber(bench, 'ann'), new Subscriber(bench, 'bob')];
}
