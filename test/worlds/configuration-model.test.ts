/**
 * Laws of configurations over generated worlds: rollouts to devices of every strategy, with an
 * outage, lost frames, removals, rollouts that are cancelled and replaced. They read what went on
 * the air and what is reported, and nothing of how the platform does it. The machines of rollouts
 * and fragments themselves stand against a model in core/resources/rollouts-model.test.ts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codecEngine } from '../../api/host/codecs/codec-engine.ts';
import type { ConfigurationAnswer } from '../../core/delivery/device-configuration/rows.ts';
import type { WorldOptions } from '../../core/world/options.ts';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { format } from '../../scenarios/language/problem.ts';
import { load } from '../../scenarios/load.ts';
import { Recorder } from '../../scenarios/trace.ts';
import type { News } from '../../sim/contract/news.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import { someRuns } from '../support/long.ts';
import { outcomeOf, stopping, throughBytes } from '../support/worlds.ts';

const KINDS = ['silent', 'echo', 'report'] as const;
const DECODERS = {
  silent: 'SETTINGS_SENT',
  echo: 'SETTINGS_ACK',
  report: 'SETTINGS_REPORTED',
} as const;

const COUNT = 3;

const verbs = fc.oneof(
  fc.record({
    at: fc.integer({ min: 10, max: 400 }),
    configure: fc.record({
      devices: fc.constantFrom(...KINDS, ...KINDS.map((kind) => `${kind}-2`)),
      config: fc.record({
        uplinkPeriod: fc.constantFrom(300, 600),
        payloadBytes: fc.integer({ min: 1, max: 20 }),
      }),
    }),
  }),
  fc.record({
    at: fc.integer({ min: 10, max: 400 }),
    cancelConfiguration: fc.constantFrom(...KINDS, 'report-1'),
  }),
  fc.record({ at: fc.integer({ min: 200, max: 400 }), removeDevice: fc.constant('silent-3') }),
  fc.record({
    at: fc.integer({ min: 60, max: 300 }),
    policyControl: fc.constantFrom('report', 'echo-1'),
  }),
  fc.record({
    at: fc.integer({ min: 60, max: 300 }),
    manualControl: fc.constantFrom('report', 'echo-1'),
  }),
);

const worlds = fc.record({
  seed: fc.nat(1_000).map(String),
  class: fc.constantFrom('A', 'C'),
  loss: fc.constantFrom(0, 20, 50),
  outage: fc.record({
    at: fc.integer({ min: 0, max: 300 }),
    minutes: fc.integer({ min: 1, max: 90 }),
  }),
  timeline: fc.array(verbs, { minLength: 2, maxLength: 12 }),
});
type Drawn = Parameters<Parameters<typeof worlds.map>[0]>[0];

function planOf({ class: deviceClass, loss, outage, timeline, seed }: Drawn) {
  const removals = timeline.filter((each) => 'removeDevice' in each);
  const stored = timeline.filter((each) => !removals.slice(1).some((other) => other === each));
  // Nobody speaks of a device that is gone.
  const isLate = (each: (typeof timeline)[number]) => each.at > (removals[0]?.at ?? 1_000);
  const said = stored.filter((each) => !(isLate(each) && JSON.stringify(each).includes('silent')));
  const scenario = {
    scenario: 'configured',
    duration: '20 h',
    radio: { pathLoss: { model: 'constant', loss: '110 dB' } },
    gateways: [{ name: 'mast' }],
    devices: KINDS.map((protocol) => ({
      name: protocol,
      count: COUNT,
      class: deviceClass,
      activation: 'abp',
      joinWithin: '10 min',
      frameLoss: `${loss} %`,
      traffic: { every: '15 min' },
      settings: { protocol },
      decoderType: DECODERS[protocol],
    })),
    configurationPolicies: [
      { name: 'night', population: 'report', config: { uplinkPeriod: 900 } },
      { name: 'day', devices: ['echo-1'], config: { payloadBytes: 9 } },
    ],
    timeline: [
      ...said.map(({ at, ...verb }) => ({ at: `${at} min`, ...verb })),
      { at: `${outage.at} min`, gatewayFault: { gateway: 'mast', fault: 'backhaul' } },
      {
        at: `${outage.at + outage.minutes} min`,
        gatewayFault: { gateway: 'mast', fault: 'backhaul', on: false },
      },
    ],
  };
  return planFrom(scenario, seed);
}

function planFrom(scenario: object, seed: string) {
  const file = 'configured.yaml';
  const loaded = load(
    file,
    new Map([[file, Buffer.from(JSON.stringify(scenario))]]),
    [],
    codecEngine(),
  );
  if (loaded.outcome === 'problems') throw new Error(loaded.problems.map(format).join('\n'));
  if (loaded.outcome !== 'scenario') throw new Error(loaded.outcome);
  return populate(loaded.scenario, seed);
}

interface Fate {
  readonly atUs: number;
  readonly news: Extract<News, { kind: 'downlink' }>;
}

/** Uplinks of each device that acknowledge, by the instant when the server had gathered them. */
function acknowledgements(rows: readonly TraceRow[]): ReadonlySet<string> {
  const acks = new Map<string, boolean>();
  const response = new Set<string>();
  for (const row of rows) {
    if (row.kind === 'uplinkBegins') {
      const fCtrl = Number.parseInt(row.phyPayload.slice(10, 12), 16);
      acks.set(`${row.device} ${row.frame}`, (fCtrl & 0x20) !== 0);
    }
    if (row.kind === 'uplinkCollected' && acks.get(`${row.device} ${row.frame}`)) {
      response.add(`${row.device} ${row.atUs}`);
    }
  }
  return response;
}

/** A world that has gone to its end, and what was reported on the way. */
function carriedOut(drawn: Drawn) {
  const plan = planOf(drawn);
  const observer = new Recorder();
  const fates: Fate[] = [];
  const news: WorldOptions['news'] = (each, { nowUs }) => {
    if (each.kind === 'downlink' && each.sender.kind === 'rollout') {
      fates.push({ atUs: nowUs, news: each });
    }
  };
  const world = World.create(plan, drawn.seed, { observer, records: false, news });
  world.runUntil(world.endUs);
  const nameOf = new Map(plan.network.devices.map(({ devEui, name }) => [devEui, name]));
  const reports = [...nameOf].flatMap(([dev_eui, name]) => {
    const answer = world.ask({ kind: 'deviceConfiguration.get', by: 'default', dev_eui });
    return answer.ok ? [{ devEui: dev_eui, name, ...(answer.value as ConfigurationAnswer) }] : [];
  });
  return {
    world,
    rows: observer.rows,
    fates,
    nameOf,
    reported: reports,
    startMs: world.facts.unixMsOf(0),
  };
}

/** A user's codec of devices that report on the port of settings. */
const SCRIPT = `
var configuration = { confirmation: 'reported-config', fPorts: [85] };
function decodeUplink(input) { return { data: {} }; }
function encodeConfiguration(input) {
  return { fragments: [{ fPort: 85, bytes: [2, input.config.size] }] };
}
function decodeConfiguration(input) {
  var at = input.bytes.indexOf(2, 4);
  return { config: { size: input.bytes[at + 1] } };
}`;

describe('a codec in JavaScript', () => {
  it('configures devices, and reads what they report though nobody watches them', () => {
    const device = { name: 'own', settings: { protocol: 'report' }, decoderType: 'mine' };
    const plan = planFrom(
      {
        scenario: 'scripted',
        duration: '6 h',
        radio: { pathLoss: { model: 'constant', loss: '110 dB' } },
        gateways: [{ name: 'mast' }],
        decoderTypes: [{ name: 'mine', script: SCRIPT }],
        devices: [
          { ...device, activation: 'abp', joinWithin: '1 min', traffic: { every: '10 min' } },
        ],
        timeline: [{ at: '2 h', configure: { devices: 'own', config: { size: 33 } } }],
      },
      '1',
    );
    const world = World.create(plan, '1', { codecs: codecEngine() });
    const get = () => {
      const dev_eui = plan.network.devices[0]!.devEui;
      const answer = world.ask({ kind: 'deviceConfiguration.get', by: 'default', dev_eui });
      if (!answer.ok) throw new Error(answer.failure.message);
      return answer.value as ConfigurationAnswer;
    };
    world.runUntil(3_600_000_000);
    expect(get()).toMatchObject({ reported: { config: { size: 12 } }, desired: null });
    world.runUntil(world.endUs);
    expect(get()).toMatchObject({
      reported: { config: { size: 33 } },
      desired: { status: 'applied' },
    });
  });
});

describe('configurations of generated worlds', () => {
  it('keep their laws', () => {
    let acknowledged = 0;
    let cancelled = 0;
    fc.assert(
      fc.property(worlds, (drawn) => {
        const { world, rows, fates, nameOf, reported: reports, startMs } = carriedOut(drawn);
        const acks = acknowledgements(rows);
        for (const { atUs, news } of fates.filter(
          (each) => each.news.what.kind === 'acknowledged',
        )) {
          // What the service takes for an acknowledgement was one on the air.
          expect(acks).toContain(`${nameOf.get(news.devEui)} ${atUs}`);
          acknowledged++;
        }
        for (const { devEui, desired } of reports) {
          if (desired === null || desired.completed_at === null) continue;
          // Of a rollout that is over nothing is sent any more, but what was on its way.
          const overUs = (Date.parse(desired.completed_at) - startMs) * 1_000 + 1_000;
          const later = fates.filter(
            ({ atUs, news }) =>
              atUs > overUs && news.devEui === devEui && news.what.kind === 'planned',
          );
          expect(later).toEqual([]);
          if (desired.status === 'cancelled') cancelled++;
          // Its fragments are sent one at a time, each four times at most, 300 s apart.
          for (const each of desired.progress.fragments) {
            expect(each.attempt_count).toBeLessThanOrEqual(4);
          }
        }
        const { configurations } = world.result();
        if (configurations === undefined) return;
        const {
          made: created,
          active,
          applied,
          failed,
          cancelled: ended,
        } = configurations.rollouts;
        const sum = (counts: object) =>
          Object.values(counts).reduce((all: number, each: number) => all + each, 0);
        expect(active + applied + sum(failed) + sum(ended)).toBe(created);
        for (const { name, devices, status, set } of configurations.populations) {
          expect(sum(status)).toBe(devices);
          // Who says that he has taken it has taken it; of the silent ones nobody knows.
          if (name !== 'silent') expect(set).toBeGreaterThanOrEqual(status.applied ?? 0);
        }
      }),
      { numRuns: someRuns(15, 4) },
    );
    expect(Math.min(acknowledged, cancelled)).toBeGreaterThan(0);
  });

  it('are the same in slices, from snapshots and in forks', () => {
    fc.assert(
      fc.property(
        worlds,
        fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 }),
        (drawn, at) => {
          const plan = planOf(drawn);
          const create = () => World.create(plan, drawn.seed, { records: false });
          const straight = create();
          straight.runUntil(straight.endUs);
          let turn = 0;
          const way = stopping(at, (present) => {
            turn++;
            if (turn % 3 === 0) return present.fork();
            if (turn % 3 === 1) return present;
            const snapshot = throughBytes(present.snapshot());
            return World.restore(plan, drawn.seed, snapshot, { records: false });
          });
          expect(outcomeOf(way(create(), straight.endUs))).toEqual(outcomeOf(straight));
        },
      ),
      { numRuns: someRuns(4) },
    );
  });
});
