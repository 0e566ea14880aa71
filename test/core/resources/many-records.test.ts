/** Records by the ten thousand, and large ones: what they cost is what they are. */
import { describe, expect, it } from 'vitest';
import { World } from '../../../core/world/world.ts';
import { HOUR_US, networkOf } from '../../support/small-network.ts';
import { annsCampaign, IMAGE } from './isolation.ts';
import { annAndBob, got, type Subscriber } from './service.ts';

const MANY = 10_000;
const MOST_BYTES = 4 * 1024 * 1024;

/** CPU time that something takes, ms. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The least of some attempts: what others do on the machine is not counted. */
const leastMs = (attempts: number, work: (attempt: number) => void): number =>
  Math.min(...Array.from({ length: attempts }, (_, i) => cpuMs(() => work(i))));

/** A thousand times the same, before and after there are ten thousand records: ms each way. */
function beforeAndAfter(one: () => void, fill: () => void): readonly [number, number] {
  const thousand = () => {
    for (let i = 0; i < 1000; i++) one();
  };
  thousand(); // warms up
  const before = leastMs(3, thousand);
  fill();
  return [before, leastMs(3, thousand)];
}

describe('an image of 4 MiB', () => {
  it('is uploaded, logged and answered in 60 ms of CPU time', () => {
    const plan = { name: 'x', description: '', durationUs: HOUR_US, timeline: [] };
    const network = networkOf({ devices: 2, gatewaysAt: [100, 200] });
    const world = World.create({ ...plan, network }, 'seed');
    const bytes = new Uint8Array(MOST_BYTES).map((_, i) => i >> 3);
    const upload = leastMs(6, (i) => {
      bytes[0] = i;
      got(world.submit({ kind: 'image.create', by: 'default', name: `${i}.bin`, bytes }));
    });
    // It takes some 25 ms, 22 of them for its hash; three times the bound for slow machines.
    expect(upload).toBeLessThan(180);
    // The hash is known: nothing that comes after reads the contents again.
    expect(leastMs(3, () => world.digest())).toBeLessThan(upload / 2);
  });
});

describe('ten thousand records', () => {
  const A = 'D000000000000001';
  const delegation = {
    delegate_to: 'bob',
    expires_at: '2090-01-01T00:00:00Z',
    include_devices: [A],
  };
  const times = (count: number, work: (i: number) => void) => () => {
    for (let i = 0; i < count; i++) work(i);
  };

  it.each([
    [
      'groups, to make another one',
      (ann: Subscriber) => {
        const group = { name: 'g', devices: [A] };
        const one = () => ann.do({ kind: 'deviceGroup.create', group });
        return [one, times(MANY, one)] as const;
      },
    ],
    [
      'delegations, for the other party to read one',
      (ann: Subscriber, bob: Subscriber) => {
        const make = () => ann.do({ kind: 'delegation.create', delegation });
        const { delegation_id } = make();
        const one = () => bob.ask({ kind: 'delegation.get', delegation_id });
        return [one, times(MANY, make)] as const;
      },
    ],
    [
      'campaigns, to make, halt and delete another one',
      (ann: Subscriber) => {
        const { device_group_id } = annsCampaign(ann, A);
        const campaign = { name: 'spring', image_name: IMAGE, device_group_id };
        const halted = () => {
          const { campaign_id } = ann.do({ kind: 'campaign.create', campaign });
          ann.do({ kind: 'campaign.halt', campaign_id });
          return campaign_id;
        };
        const one = () => ann.do({ kind: 'campaign.delete', campaign_id: halted() });
        return [one, times(MANY, halted)] as const;
      },
    ],
  ])('cost nothing more: %s', (_, work) => {
    const [ann, bob] = annAndBob();
    ann.devices(1);
    const [one, fill] = work(ann, bob);
    const [before, after] = beforeAndAfter(one, fill);
    expect(after).toBeLessThan(10 * before + 10);
  });

  it('of delegations by patterns are looked through at once for all devices', () => {
    const [ann, bob] = annAndBob();
    for (const devEui of ann.devices(1000, () => ({ uplinkEveryS: 0 }))) {
      ann.report(devEui, '0102030400000001');
    }
    times(MANY, (i) => {
      const end = (i % 4096).toString(16).padStart(4, '0');
      const include_devices = [`E0000000000${end}.`];
      ann.do({ kind: 'delegation.create', delegation: { ...delegation, include_devices } });
    })();
    const all = { kind: 'deviceVersion.all', delegated_subscriber_id: 'ann' } as const;
    expect(bob.refusedQuery(all)).toBe('delegation.none');
    ann.do({ kind: 'delegation.create', delegation });
    expect(Object.keys(bob.ask(all))).toEqual([A]);
    // Pattern by pattern it were ten million comparisons, some 6 s.
    expect(leastMs(2, () => bob.ask(all))).toBeLessThan(1500);
  });
});
