/**
 * A world that is served: two subscribers with a campaign each, hers with a retry and his to start
 * later, and downlinks of both. It has no end.
 */
import type { Command } from '../../core/command.ts';
import type { WorldPlan } from '../../core/world/plan.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { scenarioOf } from '../scenarios/scenario.ts';

export const S_US = 1_000_000;
export const HOUR_US = 3_600 * S_US;

const SCENARIO = scenarioOf(`
scenario: served-day
duration: 1 d
start: 2026-03-01T00:00:00Z
subscribers: [ann, bob]
radio: { pathLoss: { model: constant, loss: 110 dB } }
server: { rx2DataRate: DR3, adr: false }
gateways:
  - { name: mast, subscriber: ann }
  - { name: tower, subscriber: bob }
devices:
  - name: meter
    count: 6
    subscriber: ann
    activation: abp
    dataRate: DR5
    adr: false
    traffic: { every: 10 min }
  - name: valve
    count: 4
    subscriber: bob
    class: C
    activation: abp
    dataRate: DR5
    adr: false
    traffic: { every: 15 min }
images:
  - { name: meter-2.0.0.bin, bytes: 600 B, subscriber: ann }
  - { name: valve-2.0.0.bin, bytes: 400 B, subscriber: bob }
groups:
  - { name: meters, devices: [meter], subscriber: ann }
  - { name: valves, devices: [valve], subscriber: bob }
campaigns:
  - name: spring
    image: meter-2.0.0.bin
    group: meters
    at: 1 h
    mcast_dr: DR5
    min_downlink_delay: 1 s
    subscriber: ann
  - name: summer
    image: valve-2.0.0.bin
    group: valves
    at: 2 h
    scheduled_start_at: 3 h
    mcast_dr: DR5
    min_downlink_delay: 1 s
    subscriber: bob
`);

const { durationUs: _, ...SERVED } = populate(SCENARIO);

export const SERVED_DAY: WorldPlan = SERVED;

/** DevEUIs of a population. */
export const devEuisOf = (population: 'meter' | 'valve'): readonly string[] =>
  SERVED_DAY.network.devices.flatMap(({ name, devEui }) =>
    name.startsWith(population) ? [devEui] : [],
  );

type Enqueue = Extract<Command, { readonly kind: 'downlink.enqueue' }>;

/** A downlink to a device of the population's subscriber. */
export const downlinkTo = (
  population: 'meter' | 'valve',
  which: number,
  confirmed = false,
): Enqueue => ({
  kind: 'downlink.enqueue',
  by: population === 'meter' ? 'ann' : 'bob',
  devEui: devEuisOf(population)[which]!,
  fPort: 9,
  payloadHex: '0102',
  confirmed,
});
