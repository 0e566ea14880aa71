/**
 * Who may group and update what, among three subscribers, against a model that is written from the
 * sentences of docs/decisions/0050: it knows every cover that there ever was, and nothing else.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant } from '../../../core/base/instant.ts';
import type { DelegationInput } from '../../../core/update-service/delegation-fields.ts';
import { IS_LONG } from '../../support/long.ts';
import { Bench, S } from '../bench.ts';
import { NORTH, SOUTH, Subscriber } from './service.ts';

const NAMES = ['ann', 'bob', 'eve'] as const;
const GATEWAYS = [NORTH, SOUTH, 'AA00000000000003'] as const;
const DEVICES_EACH = 2;
const STEP_S = 60;
const IMAGE = 'app-1.2.3.bin';

/** Which devices a record's patterns are of, by their numbers. */
interface Cover {
  readonly include: readonly number[];
  readonly exclude: readonly number[];
}

interface Record extends Cover {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  /** The last second at which it holds. */
  readonly untilS: number;
}

const who = fc.nat({ max: NAMES.length - 1 });
const some = fc.uniqueArray(fc.nat({ max: NAMES.length * DEVICES_EACH - 1 }), { maxLength: 4 });
const one = fc.uniqueArray(fc.nat({ max: NAMES.length * DEVICES_EACH - 1 }), {
  minLength: 1,
  maxLength: 3,
});
const which = fc.nat({ max: 5 });
const steps = fc.integer({ min: 0, max: 6 });
/** Every kind of step, with what some of them need. */
const step = fc.record({
  does: fc.constantFrom(
    ...(['delegate', 'delegate', 'change', 'extend', 'end', 'wait', 'reload', 'remove'] as const),
    ...(['group', 'group', 'campaign', 'campaign', 'restart', 'restart'] as const),
  ),
  who,
  other: who,
  some,
  one,
  which,
  steps,
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The platform and the model side by side. */
class Side {
  readonly bench = new Bench({ gateways: [...GATEWAYS] });
  readonly all: readonly Subscriber[];
  readonly devEuis: readonly string[];
  readonly removed = new Set<number>();
  records: Record[] = [];
  /** Every cover that two subscribers ever had. */
  readonly ever: (Cover & { readonly from: number; readonly to: number })[] = [];
  readonly groups: { id: string; by: number; devices: readonly number[] }[] = [];
  readonly campaigns: { id: string; by: number; devices: readonly number[] }[] = [];

  constructor() {
    const gateways = GATEWAYS.map((eui, i) => [eui, NAMES[i]!] as const);
    this.bench.platform.onPlanned({ devices: [], gateways });
    this.all = NAMES.map((name) => new Subscriber(this.bench, name));
    this.devEuis = this.all.flatMap((each, i) =>
      each.devices(DEVICES_EACH, () => ({
        deviceClass: 'C',
        uplinkEveryS: 0,
        levels: { [GATEWAYS[i]!]: -100 },
      })),
    );
    for (const each of this.all) each.upload(IMAGE, '00'.repeat(100));
  }

  ownerOf = (device: number): number => Math.floor(device / DEVICES_EACH);

  get nowS(): number {
    return this.bench.nowUs / S;
  }

  isCovered(device: number, to: number): boolean {
    return this.records.some(
      (each) =>
        each.from === this.ownerOf(device) &&
        each.to === to &&
        this.nowS <= each.untilS &&
        covers(each, device),
    );
  }

  wasCovered(device: number, to: number): boolean {
    return this.ever.some(
      (each) => each.from === this.ownerOf(device) && each.to === to && covers(each, device),
    );
  }

  /** What naming devices amounts to, by the sentences. */
  verdictOn(devices: readonly number[], by: number): string {
    const isUnknown = (device: number): boolean => {
      if (this.removed.has(device)) return true;
      if (this.ownerOf(device) === by || this.isCovered(device, by)) return false;
      return !this.wasCovered(device, by);
    };
    if (devices.some(isUnknown)) return 'deviceGroup.unknown-device';
    return this.areAllowed(devices, by) ? 'ok' : 'delegation.ended';
  }

  areAllowed = (devices: readonly number[], by: number): boolean =>
    devices.every((device) => this.ownerOf(device) === by || this.isCovered(device, by));

  instant = (atS: number): string => formatInstant(this.bench.view.unixMs(atS * S));
  names = (devices: readonly number[]): string[] => devices.map((each) => this.devEuis[each]!);

  keep(record: Record): void {
    this.records = [...this.records.filter(({ id }) => id !== record.id), record];
    this.ever.push(record);
  }
}

const covers = ({ include, exclude }: Cover, device: number): boolean =>
  include.includes(device) && !exclude.includes(device);

const codeOf = (answer: { ok: boolean; failure?: { code: string } }): string =>
  answer.ok ? 'ok' : answer.failure!.code;

function carryOut(side: Side, { does, who: by, other, some, one, which, steps }: Step): void {
  const us = side.all[by]!;
  const mine = side.records.filter(({ from }) => from === by);
  const record = mine[which % Math.max(1, mine.length)];
  switch (does) {
    case 'delegate': {
      const untilS = side.nowS + 1 + steps * STEP_S;
      const delegation: DelegationInput = {
        delegate_to: NAMES[other]!,
        expires_at: side.instant(untilS),
        include_devices: side.names(one),
        exclude_devices: side.names(some),
      };
      const answer = us.try({ kind: 'delegation.create', delegation });
      expect(codeOf(answer)).toBe(by === other ? 'delegation.delegate-to' : 'ok');
      if (!answer.ok) return;
      const id = answer.value.delegation_id;
      return side.keep({ id, from: by, to: other, untilS, include: one, exclude: some });
    }
    case 'change':
    case 'extend': {
      if (record === undefined) return;
      const untilS = side.nowS + steps * STEP_S;
      const include = steps % 2 === 0 ? record.include : one;
      const changed =
        does === 'extend' ? { ...record, untilS } : { ...record, include, exclude: some };
      const delegation =
        does === 'extend'
          ? { expires_at: side.instant(untilS) }
          : { include_devices: side.names(include), exclude_devices: side.names(some) };
      us.do({ kind: 'delegation.update', delegation_id: record.id, delegation });
      return side.keep(changed);
    }
    case 'end':
      if (record === undefined) return;
      us.do({ kind: 'delegation.delete', delegation_id: record.id });
      side.records = side.records.filter((each) => each !== record);
      return;
    case 'wait':
      return side.bench.runUntil(side.bench.nowUs + steps * STEP_S * S);
    case 'reload':
      return side.bench.reload();
    case 'remove': {
      const [device] = one as [number];
      if (side.removed.has(device)) return;
      side.removed.add(device);
      side.bench.remove(side.devEuis[device]!);
      for (const each of side.groups) each.devices = each.devices.filter((d) => d !== device);
      return;
    }
    case 'group': {
      const group = { name: 'g', devices: side.names(one) };
      const answer = us.try({ kind: 'deviceGroup.create', group });
      expect(codeOf(answer)).toBe(side.verdictOn(one, by));
      if (answer.ok) side.groups.push({ id: answer.value.device_group_id, by, devices: one });
      return;
    }
    default:
      return updateOf(side, does, by, which);
  }
}

/** A campaign is halted as soon as it is made, so all its devices may be tried again. */
function updateOf(side: Side, does: 'campaign' | 'restart', by: number, which: number): void {
  const us = side.all[by]!;
  const of = does === 'campaign' ? side.groups : side.campaigns;
  const mine = of.filter((each) => each.by === by);
  const it = mine[which % Math.max(1, mine.length)];
  if (it === undefined) return;
  const there = it.devices.filter((device) => !side.removed.has(device));
  const allowed = side.areAllowed(there, by) ? 'ok' : 'delegation.ended';
  if (does === 'restart') {
    const answer = us.try({ kind: 'campaign.restart', campaign_id: it.id, changes: {} });
    expect(codeOf(answer)).toBe(there.length === 0 ? 'campaign.nothing-to-restart' : allowed);
    if (answer.ok) us.do({ kind: 'campaign.halt', campaign_id: it.id });
    return;
  }
  const campaign = { name: 'c', image_name: IMAGE, device_group_id: it.id };
  const answer = us.try({ kind: 'campaign.create', campaign });
  expect(codeOf(answer)).toBe(there.length === 0 ? 'campaign.empty-group' : allowed);
  if (!answer.ok) return;
  const campaign_id = answer.value.campaign_id;
  us.do({ kind: 'campaign.halt', campaign_id });
  side.campaigns.push({ id: campaign_id, by, devices: there });
}

describe('three subscribers who delegate to one another', () => {
  it('may group and update what is theirs, or delegated to them at that instant', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }), (all) => {
        const side = new Side();
        for (const each of all) carryOut(side, each);
        for (const [by, us] of side.all.entries()) {
          for (const device of side.devEuis.keys()) seen.add(side.verdictOn([device], by));
          // Nothing of another is in a history: nobody was spoken to.
          expect(us.ask({ kind: 'history.all' })).toEqual({});
        }
      }),
      { numRuns: IS_LONG ? 250 : 75 },
    );
    expect([...seen].sort()).toEqual(['delegation.ended', 'deviceGroup.unknown-device', 'ok']);
  });
});
