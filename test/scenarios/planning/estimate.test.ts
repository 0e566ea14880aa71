/** Estimates of campaigns: what they are made of, what is chosen, and what is refused. */
import { describe, expect, it } from 'vitest';
import { changes } from '../../../scenarios/planning/changes.ts';
import { type Estimate, estimate } from '../../../scenarios/planning/estimate.ts';
import type { Asked } from '../../../scenarios/planning/plan-settings.ts';
import { notWritten, plannedScenario } from '../../../scenarios/planning/planned-scenario.ts';
import { fewestCoded } from '../../../scenarios/planning/redundancy.ts';
import { sampleOf } from '../../../scenarios/planning/sample.ts';
import { readScenario } from '../../../scenarios/texts.ts';
import { HOUR_US, MINUTE_US, SECOND_US } from '../../../sim/base/units.ts';
import { REGION_NAMES } from '../../../sim/lorawan/region.ts';

const USUAL: Asked = {
  devices: 20_000,
  imageBytes: 60_000,
  region: 'EU868',
  session: 'C',
  loss: 0.1,
  confidence: 0.99,
  gateways: 20,
  timing: 'simultaneous',
  periodUs: HOUR_US,
};

/** Without drawn devices, whose own test is redundancy.test.ts. */
function of(changed: Partial<Asked> = {}): Estimate {
  const found = estimate({ ...USUAL, ...changed }, { draws: false });
  if ('faults' in found) throw new Error(JSON.stringify(found.faults));
  return found;
}

function faultOf(changed: Partial<Asked>) {
  const found = estimate({ ...USUAL, ...changed }, { draws: false });
  return 'faults' in found ? found.faults : [];
}

describe('an estimate of 60 kB in EU868', () => {
  it('has the fragments, the air time and the pace of DR3, the data rate of ping slots', () => {
    const { settled, session, redundancy } = of();
    expect(settled).toMatchObject({ fragSize: 112, nbFrag: 536, paddingBytes: 32 });
    expect(settled.rate.index).toBe(3);
    expect(session).toMatchObject({ airtimeUs: 676_864, delayUs: 7_000_000, phyBytes: 128 });
    expect(session.boundBy).toBe('dutyCycle');
    expect(session.totalAirtimeUs).toBe((536 + redundancy) * 676_864);
  });

  it('has the least redundancy that leaves the set-up a tenth of those who may miss it', () => {
    const { redundancy, fragmentLoss, setUp, holding } = of();
    expect(setUp.share).toBeCloseTo(0.999, 12);
    expect(redundancy).toBe(fewestCoded(536, fragmentLoss, 0.99 / 0.999));
    expect(holding).toBeGreaterThanOrEqual(0.99);
  });

  it('has the session of a campaign: 2^TimeOut s, half as long again as its fragments', () => {
    const { session, settled, redundancy } = of();
    const takesUs = (settled.nbFrag + redundancy + 1) * session.delayUs;
    expect(session.timeOut).toBe(13);
    expect(session.sessionUs).toBe(8192 * SECOND_US);
    expect(session.sessionUs).toBeGreaterThan(1.5 * takesUs);
    expect(session.sessionUs).toBeLessThan(3 * takesUs);
  });

  it('in ping slots has whole slots, clear of beacons, and 128 · 2^TimeOut s', () => {
    const { session } = of({ session: 'B' });
    expect(session).toMatchObject({ periodicity: 2, delayUs: 7_680_000, boundBy: 'pingSlots' });
    expect(session.sessionUs).toBe(128 * 2 ** session.timeOut * SECOND_US);
  });

  it('takes turns of staggered gateways into the pace', () => {
    const { session } = of({ timing: 'staggered' });
    expect(session).toMatchObject({ boundBy: 'gateways', delayUs: 16_000_000 });
  });

  it('waits for the duty cycle of an hour where the pace is faster', () => {
    // 10 % of an hour are 531 fragments, and 83 and more go in the next one.
    const { session } = of({ delayUs: SECOND_US });
    expect(session.sendingUs).toBeGreaterThan(HOUR_US);
    expect(session.sendingUs).toBeLessThan(HOUR_US + 3 * MINUTE_US);
  });

  it('loses more fragments where devices speak often, more uplinks where many do', () => {
    expect(of({ periodUs: 5 * MINUTE_US }).fragmentLoss).toBeGreaterThan(of().fragmentLoss);
    expect(of({ gateways: 5 }).uplinkLoss).toBeGreaterThan(of().uplinkLoss);
    expect(of({ gateways: 2, periodUs: 10 * MINUTE_US }).warnings.join()).toMatch(/collide/);
  });

  it('needs more uplinks of each device the more is lost', () => {
    const uplinks = [0, 0.1, 0.3].map((loss) => of({ loss }).setUp.uplinks);
    expect(uplinks).toEqual([...uplinks].sort((a, b) => a - b));
    expect(new Set(uplinks).size).toBe(3);
  });

  it('needs no redundancy where nothing is lost but by a device’s own uplinks', () => {
    const none = of({ loss: 0, periodUs: 24 * HOUR_US });
    expect(none.redundancy).toBeLessThan(6);
  });

  it('with too little redundancy says so, and how many devices have the image', () => {
    const { holding, warnings } = of({ redundancy: { fragments: 50 } });
    expect(holding).toBeLessThan(0.5);
    expect(warnings).toContain('this redundancy is too little for what is asked');
  });

  it('reports of numbers of fragments that the code serves badly', () => {
    const { warnings } = of({ imageBytes: 32_000, fragSize: 100, redundancy: { fragments: 80 } });
    expect(warnings.join()).toMatch(/320 fragments, of which some pairs/);
  });
});

describe('what does not go', () => {
  it.each<[string, Partial<Asked>, string, RegExp]>([
    ['a data rate that a region has not', { dataRate: 9 }, 'dataRate', /^DR0, .*DR6$/],
    ['one of uplinks alone', { region: 'US915', dataRate: 3 }, 'dataRate', /^DR8, /],
    [
      'an RX2 that carries no commands',
      { region: 'AS923-1', rx2DataRate: 2 },
      'rx2DataRate',
      /^DR3/,
    ],
    [
      'uplinks under a dwell time',
      { region: 'AU915', uplinkDataRate: 0 },
      'uplinkDataRate',
      /^DR2/,
    ],
    ['a fragment that is too long', { fragSize: 113 }, 'fragSize', /^1 to 112 bytes$/],
    ['a single fragment', { imageBytes: 100, fragSize: 100 }, 'fragSize', /^1 to 50 bytes$/],
    ['more fragments than TS004', { imageBytes: 4e6, dataRate: 0 }, 'imageBytes', /786384 bytes/],
    ['a session that is too long', { dataRate: 0 }, 'imageBytes', /^about 4\d kB, or a faster/],
    ['more redundancy than TS004', { redundancy: { fragments: 16_000 } }, 'redundancy', /15847$/],
    ['a pace that is too fast', { delayUs: 200_000 }, 'delayUs', /^at least 0.777 s$/],
  ])('is %s', (_, changed, setting, allowed) => {
    const [fault] = faultOf(changed);
    expect(fault?.of).toBe(setting);
    expect(fault?.allowed).toMatch(allowed);
  });
});

describe('every region', () => {
  it.each(REGION_NAMES)('%s has an estimate of both classes that a file can say', (region) => {
    for (const session of ['B', 'C'] as const) {
      const one = of({ region, session, devices: 100, gateways: 2, imageBytes: 10_000 });
      expect(notWritten(one)).toBeUndefined();
      const { scenario, warnings } = readScenario(plannedScenario(one, 'fleetwave plan'));
      expect(scenario.scenario).toBe('planned');
      expect(warnings).toEqual([]);
    }
  });
});

describe('the scenario of a plan', () => {
  it('says the same number of coded fragments, whatever it is', () => {
    for (const fragments of [0, 1, 2, 35, 83, 134, 268, 535, 536]) {
      const one = of({ redundancy: { fragments }, devices: 10, gateways: 1 });
      const { campaigns } = readScenario(plannedScenario(one, '')).scenario;
      const share = (campaigns[0] as { redundancy?: number }).redundancy ?? Number.NaN;
      expect(Math.ceil(536 * share)).toBe(fragments);
    }
  });

  it('is none where a campaign has no such set-up or redundancy', () => {
    const small = of({ imageBytes: 2000, loss: 0.5, devices: 10, gateways: 1 });
    expect(notWritten(small)).toMatch(/coded fragments are more than the 18/);
    const slow = of({ devices: 20_000, gateways: 1 });
    expect(notWritten(slow)).toMatch(/a campaign waits 30 d at most/);
  });
});

describe('a sample of a plan', () => {
  it('is all of it where that is few enough', () => {
    expect(sampleOf(of({ devices: 500, gateways: 2 }), 500).kind).toBe('all');
  });

  it('is some gateways with all of their devices, at the pace of all', () => {
    const whole = of({ timing: 'staggered' });
    const { kind, estimate: part } = sampleOf(whole, 2_500);
    expect(kind).toBe('gateways');
    expect(part.settled).toMatchObject({ devices: 2_000, gateways: 2 });
    expect(part.session.delayUs).toBe(whole.session.delayUs);
    expect(part.setUp.totalUs).toBe(whole.setUp.totalUs);
    expect(part.redundancy).toBe(whole.redundancy);
  });

  it('is some devices of one gateway where one has more than enough', () => {
    const { kind, estimate: part } = sampleOf(of(), 400);
    expect(kind).toBe('devices');
    expect(part.settled).toMatchObject({ devices: 400, gateways: 1 });
  });
});

describe('what would change most', () => {
  it('moves one setting each, and stands in the order of what it saves', () => {
    const now = of({ timing: 'staggered' });
    const all = changes(now);
    const later = all.map(({ laterUs }) => laterUs);
    expect(later).toEqual([...later].sort((a, b) => a - b));
    expect(all.map(({ setting }) => setting)).toEqual(
      expect.arrayContaining(['dataRate', 'rx2DataRate', 'fragSize', 'redundancy', 'timing']),
    );
    const rate = all.find(({ setting }) => setting === 'dataRate')!;
    // The uplinks stay as they are.
    const moved = of({ timing: 'staggered', dataRate: 4, uplinkDataRate: 3, rx2DataRate: 0 });
    expect(rate.to).toBe('DR4');
    expect(rate.heldAfterUs).toBe(moved.heldAfterUs);
    expect(rate.laterUs).toBeLessThan(0);
  });

  it('leaves out what does not go', () => {
    const now = of({ dataRate: 6, uplinkDataRate: 5 });
    expect(changes(now).map(({ setting }) => setting)).not.toContain('dataRate');
    expect(changes(now).map(({ setting }) => setting)).not.toContain('uplinkDataRate');
  });
});
