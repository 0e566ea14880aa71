/** Traffic from a file: its table, and what devices make of it. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { format } from '../../scenarios/language/problem.ts';
import { load } from '../../scenarios/load.ts';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { runScenario } from '../../scenarios/testing/testing.ts';
import { mostRuns } from '../support/long.ts';
import { bundleOf } from './scenario.ts';

const scenarioWith = (more = '', count = 3): string => `scenario: listed
duration: 2 h
gateways: [{ name: g, placement: { at: [0 m, 0 m] } }]
devices:
  - name: meter
    count: ${count}
    activation: abp
    joinWithin: 0 s
    dutyCycle: false
    dataRate: DR5
    placement: { ring: 200 m }
    traffic: { file: up.csv }
${more}`;

const ROWS = `time,device,fPort,payload,confirmed
60,meter-1,5,0102ff,false
1 h 0.5 s,meter-1,7,AA,true
70.25,2,,,
`;

const loaded = (rows: string, more = '', count = 3) =>
  load('a.yaml', bundleOf({ 'a.yaml': scenarioWith(more, count), 'up.csv': rows }));

function planOf(rows: string, more = '', count = 3) {
  const one = loaded(rows, more, count);
  if (one.outcome !== 'scenario') throw new Error(JSON.stringify(one));
  return populate(one.scenario);
}

/** Data uplinks that are no repetitions, of a run that keeps all laws. */
function uplinksOf(rows: string, more = '', text = scenarioWith(more)) {
  const { trace } = runScenario(text, { files: { 'up.csv': rows } });
  const one = load('a.yaml', bundleOf({ 'a.yaml': text, 'up.csv': rows }));
  if (one.outcome !== 'scenario') throw new Error(JSON.stringify(one));
  expect(judge(trace.rows, populate(one.scenario).network)).toEqual({});
  return trace.rows.flatMap((row) =>
    row.kind === 'uplinkBegins' && row.purpose === 'data' && row.attempt === 1 ? [row] : [],
  );
}

/** FPort of a data frame, behind its MAC commands. */
function portOf({ phyPayload }: { readonly phyPayload: string }): number {
  const fOptsBytes = Number.parseInt(phyPayload.slice(10, 12), 16) & 15;
  return Number.parseInt(phyPayload.slice(16 + 2 * fOptsBytes, 18 + 2 * fOptsBytes), 16);
}

const faultsOf = (rows: string): string[] => {
  const one = loaded(rows);
  return one.outcome === 'problems' ? one.problems.map(format) : [];
};

const listedOf = (rows: string, text: string) => {
  const { result } = runScenario(text, { files: { 'up.csv': rows } });
  return { ...result.devices.listed!, dropped: result.devices.messagesDropped };
};

const table = (times: readonly (number | string)[]): string =>
  `time,device,fPort\n${times.map((time, i) => `${time},1,${(i % 223) + 1}`).join('\n')}\n`;

describe('what became of a list', () => {
  it('is reported in full: all of it was sent, or was lost, or is left', () => {
    expect(listedOf(table([60, 120, 3_600, '3 h']), scenarioWith())).toEqual({
      sent: 3,
      lost: 0,
      left: 1,
      dropped: 0,
    });
  });

  it('counts as left what a slow data rate leaves no time for', () => {
    const slow = scenarioWith().replace('DR5', 'DR0');
    const times = Array.from({ length: 400 }, (_, i) => i / 400);
    const { sent, lost, left } = listedOf(table(times), slow.replace('2 h', '10 min'));
    expect(lost).toBe(0);
    // An uplink at DR0 with its windows takes some two seconds.
    expect(sent).toBeGreaterThan(200);
    expect(sent).toBeLessThan(300);
    expect(sent + left).toBe(400);
  });

  it('counts as lost what has come up when power is cut, and while there is none', () => {
    // Twenty come up at once; the cut is two seconds later, and lasts until 20 min.
    const times = [...Array.from({ length: 20 }, () => 600), 700, 1_199, 1_800];
    const cut = 'timeline: [{ at: 602 s, powerCut: { devices: meter-1, for: 598 s } }]\n';
    const { sent, lost, left, dropped } = listedOf(table(times), scenarioWith(cut));
    expect(left).toBe(0);
    expect(sent).toBeGreaterThan(1);
    expect(sent).toBeLessThan(5);
    expect(sent + lost).toBe(23);
    expect(dropped).toBe(lost);
  });

  it('loses nothing in a reboot, which waits until no message is in hand', () => {
    const times = [...Array.from({ length: 20 }, () => 600), 1_800];
    const reboot = 'timeline: [{ at: 602 s, reboot: { device: meter-1 } }]\n';
    const all = { sent: 21, lost: 0, left: 0, dropped: 0 };
    expect(listedOf(table(times), scenarioWith(reboot))).toEqual(all);
  });

  it('counts as lost what the data rate of the moment does not carry', () => {
    const joins = scenarioWith()
      .replace('duration', 'region: US915\nserver: { adr: false }\nduration')
      .replace('activation: abp', 'activation: otaa')
      .replace('DR5', 'join');
    const rows = 'time,device,bytes\n600,1,11\n660,1,12\n720,1,11\n';
    expect(listedOf(rows, joins)).toEqual({ sent: 2, lost: 1, left: 0, dropped: 1 });
  });

  it('counts as lost what a device with an empty battery never sends', () => {
    const text = scenarioWith().replace(
      '    dataRate',
      '    energy: { battery: 1 mAh, dies: true }\n    adr: false\n    dataRate',
    );
    const slow = text.replace('DR5', 'DR0');
    const times = Array.from({ length: 200 }, (_, i) => 30 * i);
    const { sent, lost, left } = listedOf(table(times), slow);
    expect(left).toBe(0);
    expect(sent).toBeGreaterThan(2);
    expect(lost).toBeGreaterThan(100);
    expect(sent + lost).toBe(200);
  });

  it('counts for each population by itself, and not for one that has no list', () => {
    const more = scenarioWith().replace('devices:', 'devices:\n  - { name: other, count: 2 }');
    const { result } = runScenario(more, { files: { 'up.csv': table([60, 120]) } });
    const [other, meter] = result.devices.populations;
    expect([other!.name, other!.listed]).toEqual(['other', undefined]);
    expect(meter!.listed).toEqual({ sent: 2, lost: 0, left: 0 });
    const { result: without } = runScenario(more.replace('traffic: { file: up.csv }', ''));
    expect(without.devices.listed).toBeUndefined();
  });

  it('agrees with what is on the air, whatever happens to the devices', () => {
    const minute = fc.integer({ min: 0, max: 110 });
    const trouble = fc.tuple(
      minute,
      fc.constantFrom('cut', 'reboot'),
      fc.integer({ min: 1, max: 30 }),
    );
    const times = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 8_000 }), fc.integer({ min: 1, max: 9 })),
      {
        minLength: 1,
        maxLength: 20,
      },
    );
    fc.assert(
      fc.property(times, fc.array(trouble, { maxLength: 4 }), (bursts, troubles) => {
        const all = bursts
          .flatMap(([at, count]) => Array.from({ length: count }, () => at))
          .sort((a, b) => a - b);
        const entries = troubles.map(([at, what, minutes]) =>
          what === 'cut'
            ? `{ at: ${at} min, powerCut: { devices: meter-1, for: ${minutes} min } }`
            : `{ at: ${at} min, reboot: { device: meter-1 } }`,
        );
        const timeline = entries.length === 0 ? '' : `timeline: [${entries.join(', ')}]\n`;
        // Where the duty cycle is stored, a message in hand waits long before it is sent.
        const text = scenarioWith(timeline, 1)
          .replace('DR5', 'DR0\n    adr: false')
          .replace('dutyCycle: false', 'dutyCycle: true');
        const { trace, result } = runScenario(text, { files: { 'up.csv': table(all) } });
        const frames = trace.rows.filter(
          (row) => row.kind === 'uplinkBegins' && row.purpose === 'data' && row.attempt === 1,
        );
        const { sent, lost, left } = result.devices.listed!;
        expect(sent).toBe(frames.length);
        expect(sent + lost + left).toBe(all.length);
        if (troubles.length === 0) expect(lost).toBe(0);
      }),
      { numRuns: mostRuns(40) },
    );
  });
});

describe('traffic from a file', () => {
  it('is sent to the microsecond, with port, payload and confirmed, and nothing else', () => {
    const reports = uplinksOf(ROWS).map(({ atUs, device, confirmed, phyPayload }) => ({
      atUs,
      device,
      confirmed,
      message: phyPayload.slice(16, -8),
    }));
    expect(reports).toEqual([
      { atUs: 60_000_000, device: 'meter-1', confirmed: false, message: '050102ff' },
      { atUs: 70_250_000, device: 'meter-2', confirmed: false, message: expect.any(String) },
      // Behind the two bytes of MAC commands that this frame carries.
      { atUs: 3_600_500_000, device: 'meter-1', confirmed: true, message: '030707aa' },
    ]);
    expect(reports[1]!.message).toMatch(/^0a.{24}$/);
  });

  it('waits while the device may not send, and none of it is lost', () => {
    const many = Array.from({ length: 20 }, (_, i) => `${10 + i / 10},1,${i + 1}`);
    const sent = uplinksOf(`time,device,fPort\n${many.join('\n')}\n`);
    const ports = sent.map(portOf);
    expect(ports.length).toBe(20);
    expect(sent[0]!.atUs).toBe(10_000_000);
    expect(new Set(sent.map(({ counter }) => counter)).size).toBe(20);
    expect(ports).toEqual(many.map((_, i) => i + 1));
  });

  it('of a device that has not joined yet waits for the join', () => {
    const joins = scenarioWith().replace('activation: abp', 'activation: otaa');
    const sent = uplinksOf('time,device,fPort\n1,1,11\n2,1,12\n3000,1,13\n', '', joins);
    expect(sent.map(portOf)).toEqual([11, 12, 13]);
    expect(sent[0]!.atUs).toBeGreaterThan(5_000_000);
    expect(sent[2]!.atUs).toBe(3_000_000_000);
  });

  it('has lengths of its own: 12 B that nobody sends are not held against it', () => {
    const text = scenarioWith()
      .replace('duration', 'region: US915\nduration')
      .replace('DR5', 'DR0\n    adr: false');
    expect(uplinksOf('time,device,bytes\n60,1,5\n', '', text).map(portOf)).toHaveLength(1);
  });

  it('goes beside answers: a downlink is answered, and the list goes on', () => {
    const answering = scenarioWith().replace('traffic:', 'answers: echo\n    traffic:');
    const asked =
      'timeline: [{ at: 90 s, downlink: { to: meter-1, fPort: 9, payload: "ABCD" } }]\n';
    const rows = 'time,device,fPort,bytes\n60,1,5,3\n120,1,5,3\n180,1,5,3\n240,1,5,3\n';
    const sent = uplinksOf(rows, '', `${answering}${asked}`);
    const ports = sent.map(portOf);
    expect(ports.filter((port) => port === 5).length).toBeGreaterThanOrEqual(3);
    expect(ports).toContain(9);
  });

  it('of a time before the power-on waits, also where power is cut then', () => {
    const late = scenarioWith(
      'timeline: [{ at: 0 s, powerCut: { devices: meter-1, for: 20 min } }]\n',
    );
    const sent = uplinksOf('time,device,fPort\n1,1,11\n1300,1,12\n', '', late);
    expect(sent.map(portOf)).toEqual([11, 12]);
    expect(sent[0]!.atUs).toBeGreaterThanOrEqual(1_200_000_000);
  });

  it('of a time without power is lost, and the rest is sent', () => {
    const rows = 'time,device\n60,1\n1200,1\n2400,1\n';
    const cut = 'timeline: [{ at: 10 min, powerCut: { devices: meter-1, for: 20 min } }]\n';
    const times = uplinksOf(rows, cut).map(({ atUs }) => atUs / 1e6);
    expect(times).toEqual([60, 2400]);
  });

  it('produces the same digest through a snapshot and a fork in the middle of a list', () => {
    const plan = planOf(ROWS);
    const whole = World.create(plan, 'x');
    whole.runUntil(plan.durationUs);
    const half = World.create(plan, 'x');
    half.runUntil(600_000_000);
    const restored = World.restore(plan, 'x', structuredClone(half.snapshot()));
    for (const world of [restored, half.fork()]) {
      world.runUntil(plan.durationUs);
      expect(world.digest()).toEqual(whole.digest());
    }
  });

  it.each([
    ['time,devise\n1,1\n', '"devise" is not a column', 'did you mean "device"?'],
    ['time\n1\n', 'up.csv:1:1 has no column device', 'allowed: time, device'],
    ['time,device,bytes,payload\n1,1,1,00\n', 'has both bytes and payload', 'one of them'],
    ['time,device\nnine,1\n', 'up.csv:2:1 "nine" is not right here', '1 h 30 min'],
    ['time,device\n1,4\n', 'up.csv:2:3 "4" is not right here', 'a number from 1 to 3'],
    ['time,device\n1,metr-2\n', 'up.csv:2:3', 'did you mean "meter-2"?'],
    ['time,device\n9,1\n5,2\n5,meter-1\n', 'up.csv:4:1', 'at least 9 s, the time of meter-1'],
    ['time,device,bytes\n1,1,243\n', 'up.csv:2:5 "243"', 'allowed: 0 to 242'],
    ['time,device,payload\n1,1,012\n', 'up.csv:2:5 "012"', 'at most 242 bytes in hexadecimal'],
    ...[0, 224, 226].map((port) => [
      `time,device,fPort\n1,1,${port}\n`,
      `up.csv:2:5 "${port}"`,
      'allowed: a whole number from 1 to 223, or 225',
    ]),
    ['', 'up.csv is empty', 'allowed: a header such as time,device or time,device,fPort,bytes'],
    ['# nothing\n', 'up.csv is empty', 'a header such as time,device'],
    ['time,device,confirmed\n1,1,yes\n', 'up.csv:2:5 "yes"', 'allowed: true or false'],
  ])('%j is refused where it stands', (rows, what, allowed) => {
    const [fault, ...more] = faultsOf(rows);
    expect(more).toEqual([]);
    expect(fault).toContain('a.yaml:12:22  /devices/0/traffic/file');
    expect(fault).toContain(what!);
    expect(fault).toContain(allowed!);
  });

  it('that is empty is named, even if equal bytes were read before', () => {
    const bytes = new Uint8Array();
    const report = (text: string) => {
      const bundle = new Map([
        ['a.yaml', new TextEncoder().encode(text)],
        ['up.csv', bytes],
      ]);
      const one = load('a.yaml', bundle);
      return one.outcome === 'problems' ? one.problems.map(format) : [];
    };
    const places = 'scenario: s\ndevices: [{ name: a, placement: { file: up.csv } }]\n';
    expect(report(places)).toEqual([expect.stringContaining('a header such as x,y')]);
    expect(report(scenarioWith())).toEqual([expect.stringContaining('such as time,device')]);
    expect(report(places)).toEqual([expect.stringContaining('a header such as x,y')]);
  });

  it('may use each port that a population may', () => {
    const ports = [-1, 0, 1, 7, 222, 223, 224, 225, 226, 255, 256];
    const inRow = ports.filter((port) => faultsOf(`time,device,fPort\n1,1,${port}\n`).length === 0);
    const inKnob = ports.filter((fPort) => {
      const text = `scenario: s\ndevices: [{ name: a, traffic: { fPort: ${fPort} } }]\n`;
      return load('a.yaml', bundleOf({ 'a.yaml': text })).outcome === 'scenario';
    });
    expect(inRow).toEqual(inKnob);
    expect(inRow).toEqual([1, 7, 222, 223, 225]);
    expect(uplinksOf('time,device,fPort\n60,1,225\n').map(portOf)).toEqual([225]);
  });

  it('after the end of the run is reported with its first row and how many there are', () => {
    const warnings = (rows: string) => {
      const one = loaded(`time,device\n7200,1\n${rows}`);
      return one.outcome === 'scenario' ? one.warnings.map(format) : [];
    };
    const report = (row: string, others: string) =>
      'a.yaml:12:22  /devices/0/traffic/file  ' +
      `up.csv:${row} is after the end of the run${others}; allowed: at most 7200 s`;
    expect(warnings('')).toEqual([]);
    expect(warnings('7200.000001,1\n5,2\n')).toEqual([report('3:1 "7200.000001"', '')]);
    expect(warnings('5,2\n3 h,1\n3 h,3\n')).toEqual([
      report('4:1 "3 h"', ', and so is 1 more row'),
    ]);
    expect(warnings('7201,1\n7202,1\n7203,3\n')).toEqual([
      report('3:1 "7201"', ', and so are 2 more rows'),
    ]);
  });

  describe('beside a file of places', () => {
    const scenario = scenarioWith()
      .replace('    count: 3\n', '')
      .replace('placement: { ring: 200 m }', 'placement: { file: p.csv }');
    const beside = (places: string, rows: string, text = scenario) =>
      load('a.yaml', bundleOf({ 'a.yaml': text, 'p.csv': places, 'up.csv': rows }));
    const faults = (places: string) => {
      const one = beside(places, 'time,device\n10,hall\n');
      return one.outcome === 'problems' ? one.problems.map(format) : [];
    };

    it.each(['exponential', 'none', 'diurnal', 'burst'])('has no process %s in it', (process) => {
      const [fault, ...more] = faults(`name,x,y,traffic.process\nhall,1,1,${process}\n`);
      expect(more).toEqual([]);
      expect(fault).toContain(
        `p.csv:2:10  /devices/0/traffic  messages of a file have no process ${process}`,
      );
    });

    it('has no period in it, and no jitter', () => {
      const [every] = faults('name,x,y,traffic.every\nhall,1,1,15 min\n');
      expect(every).toContain(
        'p.csv:2:10  /devices/0/traffic/every  messages of a file have no every',
      );
      const [jitter] = faults('name,x,y,traffic.jitter\nhall,1,1,5 %\n');
      expect(jitter).toContain('messages of a file have no jitter');
    });

    it('has of each device what its row of places says, where the list says nothing', () => {
      const places =
        'name,x,y,traffic.payload,traffic.fPort\nhall,1,1,40 B,33\ndoor,2,2,,\nroof,3,3,5 B,\n';
      const one = beside(places, 'time,device,fPort\n10,hall,\n20,hall,7\n30,door,\n40,roof,\n');
      if (one.outcome !== 'scenario') throw new Error(JSON.stringify(one));
      const { listed } = populate(one.scenario).network.deviceTypes[0]!.traffic;
      expect(listed!.hall).toMatchObject({ fPorts: [33, 7], lengths: [40, 40] });
      expect(listed!.door).toMatchObject({ fPorts: [10], lengths: [12] });
      expect(listed!.roof).toMatchObject({ fPorts: [10], lengths: [5] });
    });
  });

  it('that does not fit where its device begins is reported with its first row', () => {
    const begins = (knobs: string, region = 'US915') => {
      const text = scenarioWith()
        .replace('duration', `region: ${region}\nduration`)
        .replace('activation: abp', knobs)
        .replace('    dataRate: DR5\n', '');
      const rows = 'time,device,bytes\n60,1,11\n60,2,12\n60,3,40\n';
      const one = load('a.yaml', bundleOf({ 'a.yaml': text, 'up.csv': rows }));
      if (one.outcome !== 'scenario') throw new Error(JSON.stringify(one));
      return one.warnings.map(format).filter((each) => each.includes('up.csv'));
    };
    expect(begins('activation: otaa')).toEqual([
      expect.stringContaining(
        'up.csv:3:6 12 B do not fit into a frame at DR0, at which the device begins: lost until ' +
          'ADR lifts it, and so is 1 more row; allowed: at most 11 B',
      ),
    ]);
    const withoutAdr = begins('activation: otaa\n    adr: false');
    expect(withoutAdr.join()).toContain('the device begins: lost for ever without ADR, and so is ');
    const silent = begins('activation: otaa', 'US915\nserver: { adr: false }');
    expect(silent).toEqual(withoutAdr);
    expect(begins('dataRate: DR3')).toEqual([]);
    expect(begins('activation: otaa', 'EU868')).toEqual([]);
  });

  it('that no frame of its device carries is refused where it stands', () => {
    const slow = scenarioWith().replace('DR5', 'DR0\n    adr: false');
    const long = (rows: string, text = slow) => {
      const one = load('a.yaml', bundleOf({ 'a.yaml': text, 'up.csv': rows }));
      return one.outcome === 'problems' ? one.problems.map(format) : [];
    };
    // With ADR it may be sent later on.
    expect(long('time,device,bytes\n1,1,52\n', slow.replace('adr: false', 'adr: true'))).toEqual(
      [],
    );
    const bytes = long('time,device,bytes\n1,1,51\n2,1,52\n3,2,200\n');
    expect(bytes).toHaveLength(2);
    expect(bytes[0]).toContain('up.csv:3:5 52 B do not fit into a frame at DR0');
    expect(bytes[0]).toContain('allowed: at most 51 B');
    expect(bytes[1]).toContain('up.csv:4:5 200 B');
    const payload = long(`time,device,payload\n1,1,${'AB'.repeat(52)}\n`);
    expect(payload[0]).toContain('up.csv:2:5 52 B do not fit into a frame at DR0');
    const joins = scenarioWith().replace('DR5', 'join');
    expect(long('time,device,bytes\n1,1,222\n', joins)).toEqual([]);
    const text = slow.replace('duration', 'region: US915\nduration');
    expect(long('time,device,bytes\n1,1,12\n', text)[0]).toContain('at most 11 B');
    // A row that says no length has that of its population, 12 B.
    expect(long('time,device\n1,1\n', text)[0]).toContain('up.csv:2:3 12 B do not fit');
  });

  it('is held against the data rate that a row of places gives its device', () => {
    const text = scenarioWith('', 3)
      .replace('placement: { ring: 200 m }', 'placement: { file: p.csv }')
      .replace('DR5', 'DR5\n    adr: false');
    const files = {
      'a.yaml': text,
      'p.csv': 'x,y,dataRate\n0,0,DR5\n1,1,DR0\n2,2,DR5\n',
      'up.csv': 'time,device,bytes\n1,1,100\n2,2,100\n3,3,100\n',
    };
    const one = load('a.yaml', bundleOf(files));
    const faults = one.outcome === 'problems' ? one.problems.map(format) : [];
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain('up.csv:3:5 100 B do not fit into a frame at DR0');
  });

  it('of two populations is each of its own file', () => {
    const text = `scenario: two
gateways: [{ name: g }]
devices:
  - { name: a, traffic: { file: a.csv } }
  - { name: b, traffic: { file: b.csv } }
`;
    const files = { 'a.csv': 'time,device\n1,a\n', 'b.csv': 'time,device\n2,b\n3,1\n' };
    const one = load('two.yaml', bundleOf({ 'two.yaml': text, ...files }));
    if (one.outcome !== 'scenario') throw new Error(JSON.stringify(one));
    const lists = populate(one.scenario).network.deviceTypes.map(({ traffic }) => traffic.listed);
    expect(lists[0]!.a!.atUs).toEqual([1_000_000]);
    expect(lists[1]!.b!.atUs).toEqual([2_000_000, 3_000_000]);
  });

  it('has no knobs of when, and is not set over the air', () => {
    const report = (knobs: string) => {
      const text = `scenario: s\ndevices: [{ name: meter, ${knobs} }]\n`;
      const one = load('a.yaml', bundleOf({ 'a.yaml': text, 'up.csv': 'time,device\n' }));
      return one.outcome === 'problems' ? one.problems.map(format).join('\n') : '';
    };
    const every = report('traffic: { file: up.csv, every: 5 min }');
    expect(every).toContain('messages of a file have no every');
    const process = report('traffic: { file: up.csv, process: burst }');
    expect(process).toContain('messages of a file have no process burst');
    const settable = report('settings: { protocol: echo }, traffic: { file: up.csv }');
    expect(settable).toContain('settings cannot say a list');
  });

  it('of a population without devices is reported as that', () => {
    const text = scenarioWith().replace(/count: \d+/, 'count: 0');
    const one = load('a.yaml', bundleOf({ 'a.yaml': text, 'up.csv': 'time,device\n1,1\n' }));
    expect(one.outcome === 'problems' && one.problems.map(format)).toEqual([
      expect.stringContaining(
        'up.csv:2:3 "1" is not right here; allowed: none, since the population has no devices',
      ),
    ]);
  });

  it('of ten thousand rows is loaded and estimated', () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => `${i / 10},${(i % 100) + 1},1,12`);
    const { network } = planOf(`time,device,fPort,bytes\n${rows.join('\n')}\n`, '', 100);
    const lists = Object.values(network.deviceTypes[0]!.traffic.listed!);
    expect(lists.map(({ atUs }) => atUs.length)).toEqual(Array.from({ length: 100 }, () => 100));
  });
});
