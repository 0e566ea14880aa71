/**
 * Devices that are set over the air, and the platform that configures them: a configuration changes
 * what the device does, and what is known of it follows over the air, by each of the three ways.
 */
import { describe, expect, it } from 'vitest';
import type { Answers } from '../../core/operations.ts';
import { type Run, World } from '../../core/world/world.ts';
import { deviceEui } from '../../scenarios/filling/identity.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { scenarioOf } from '../scenarios/scenario.ts';
import { Trace } from '../support/small-network.ts';

const CONFIG = { uplinkPeriod: 600, payloadBytes: 24, confirmedUplinks: true, uplinkPort: 99 };
/** As populations are made here. */
const AS_CREATED = {
  uplinkPeriod: 1800,
  payloadBytes: 12,
  confirmedUplinks: false,
  uplinkPort: 10,
};

const WAYS = {
  silent: 'SETTINGS_SENT',
  echo: 'SETTINGS_ACK',
  report: 'SETTINGS_REPORTED',
} as const;
type Protocol = keyof typeof WAYS;
const PROTOCOLS = Object.keys(WAYS) as readonly Protocol[];

/** A device of each protocol, of a class; they lose a share of the frames each way. */
const scenario = (deviceClass: 'A' | 'C', frameLoss: string, more = '') => `
scenario: configured
duration: 2 d
area: { radius: 300 m }
server: { adr: false }
devices:${PROTOCOLS.map(
  (protocol) => `
  - name: ${protocol}
    class: ${deviceClass}
    joinWithin: 1 min
    adr: false
    dataRate: DR5
    traffic: { every: 30 min, jitter: 0 % }
    frameLoss: ${frameLoss}
    settings: { protocol: ${protocol} }
    decoderType: ${WAYS[protocol]}`,
).join('')}
timeline:${PROTOCOLS.map(
  (protocol) => `
  - { at: 2 h, configure: { devices: ${protocol}, config: ${JSON.stringify(CONFIG)} } }`,
).join('')}${more}
`;

function run(text: string): { readonly world: Run; readonly trace: Trace } {
  const trace = new Trace();
  const world = World.create(populate(scenarioOf(text), 'a'), 'a', { observer: trace });
  world.runUntil(world.endUs);
  return { world, trace };
}

function ask<Kind extends 'device.settings' | 'deviceConfiguration.get'>(
  world: Run,
  kind: Kind,
  protocol: Protocol,
): Answers[Kind] {
  const eui = deviceEui(protocol, 1);
  const named = kind === 'device.settings' ? { devEui: eui } : { dev_eui: eui };
  const answered = world.ask({ kind, by: 'default', ...named } as never);
  if (!('value' in answered)) throw new Error('it is not answered');
  return answered.value as Answers[Kind];
}

const groundTruth = (world: Run, protocol: Protocol) =>
  ask(world, 'device.settings', protocol).settings;
const known = (world: Run, protocol: Protocol) => ask(world, 'deviceConfiguration.get', protocol);

describe.each(['A', 'C'] as const)('devices of class %s that are configured', (deviceClass) => {
  const { world, trace } = run(scenario(deviceClass, '0 %'));

  it.each(PROTOCOLS)('%s: are set to it, and the rollout is applied', (protocol) => {
    expect(groundTruth(world, protocol)).toEqual(CONFIG);
    const { desired } = known(world, protocol);
    expect(desired).toMatchObject({ status: 'applied', failure_reason: null });
    const fragments = protocol === 'report' ? 1 : 4;
    expect(desired!.progress).toMatchObject({
      total_fragments: fragments,
      fragments_confirmed: fragments,
    });
  });

  it('are reported where they tell it: nothing, each parameter, all of it', () => {
    expect(known(world, 'silent').reported).toBeNull();
    expect(known(world, 'echo').reported?.config).toEqual(CONFIG);
    expect(known(world, 'report').reported?.config).toEqual(CONFIG);
  });

  it('speak so often from then on', () => {
    for (const protocol of PROTOCOLS) {
      const begins = trace.rows.flatMap((row) =>
        row.kind === 'uplinkBegins' && row.device === protocol && row.attempt === 1
          ? [row.atUs]
          : [],
      );
      const last = begins.slice(-20);
      const pauses = last.slice(1).map((atUs, i) => (atUs - last[i]!) / 1e6);
      for (const pause of pauses) expect(Math.abs(pause - 600)).toBeLessThan(1);
    }
  });
});

describe('what is believed of devices that lose frames', () => {
  const { world } = run(scenario('A', '60 %'));

  it('is true of all that the device has reported', () => {
    for (const protocol of ['echo', 'report'] as const) {
      const { desired, reported } = known(world, protocol);
      if (desired?.status === 'applied') expect(groundTruth(world, protocol)).toEqual(CONFIG);
      expect(groundTruth(world, protocol)).toMatchObject(reported?.config ?? {});
    }
  });

  it('may be wrong where nothing is reported: it was sent, and never came', () => {
    expect(known(world, 'silent').desired?.status).toBe('applied');
    expect(groundTruth(world, 'silent')).not.toEqual(CONFIG);
    expect(groundTruth(world, 'silent')).not.toEqual(AS_CREATED);
  });
});
