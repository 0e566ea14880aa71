/**
 * What happens in generated scenario files beside plain traffic (fast-check). A fleet of class A, B
 * or C is updated, faults come and go, and several subscribers ask for documented operations one
 * after the other. Each is a draw of its own that may be absent, so a counter-example shrinks to
 * those that matter.
 */
import * as fc from 'fast-check';
import type { RegionName } from '../../../sim/lorawan/region.ts';
import { deviceEui } from '../../filling/identity.ts';
import { listOf, mapOf } from '../../language/members.ts';
import { arbitraryCommands } from './arbitrary-commands.ts';
import type { ScenarioDocument } from './arbitrary-scenarios.ts';
import { campaignAirIn } from './regional-scenarios.ts';

const quantity = (unit: string, min: number, max: number): fc.Arbitrary<string> =>
  fc.integer({ min, max }).map((amount) => `${amount} ${unit}`);

const maybe = <T>(value: fc.Arbitrary<T>, freq: number) =>
  fc.option(value, { nil: undefined, freq });

// ── the fleet and its updates ────────────────────────────────────────────────────────────────────

const campaign = fc.record({
  imageBytes: fc.integer({ min: 100, max: 2_000 }),
  atMinutes: fc.integer({ min: 2, max: 10 }),
  air: maybe(
    fc.record({
      mcast_dr: fc.integer({ min: 3, max: 5 }),
      mcast_freq: fc.constantFrom(869.525, 868.1, 868.3),
      frag_size: fc.integer({ min: 20, max: 40 }),
    }),
    1,
  ),
  knobs: fc.record(
    {
      redundancy: quantity('%', 0, 100),
      multicast_setup_time: quantity('min', 10, 40),
      individual_fragment_retransmit: fc.integer({ min: 0, max: 40 }),
      automatic_retry_count: fc.integer({ min: 0, max: 1 }),
    },
    { requiredKeys: [] },
  ),
  inPingSlots: fc.boolean(),
});

const fleetOf = (most: number) =>
  fc.record({
    count: fc.integer({ min: 1, max: most }),
    class: fc.constantFrom('A' as const, 'B' as const, 'C' as const),
    knobs: fc.record(
      {
        pingSlotPeriodicity: fc.integer({ min: 0, max: 7 }),
        activation: fc.constantFrom('otaa', 'abp'),
        adr: fc.boolean(),
        frameLoss: quantity('%', 0, 40),
        drift: quantity('ppm', 0, 60),
      },
      { requiredKeys: [] },
    ),
    everySeconds: fc.integer({ min: 30, max: 600 }),
    campaign: maybe(campaign, 2),
    /** Whether it is a multicast group of management, too. */
    isGroup: fc.boolean(),
  });
type Fleet = ReturnType<typeof fleetOf> extends fc.Arbitrary<infer F> ? F : never;

/** The fleet's own names: plain entries have others. */
const FLEET = 'fleet';
const CLOCK = 'clock';

function withFleet(
  document: ScenarioDocument,
  { count, class: kind, knobs, everySeconds, campaign: drawn, isGroup }: Fleet,
  region: RegionName,
): ScenarioDocument {
  const owned = ownerIn(document);
  const fleet = {
    name: FLEET,
    ...owned,
    count,
    class: kind,
    joinWithin: '1 min',
    traffic: { every: `${everySeconds} s`, payload: '8 B' },
    ...knobs,
  };
  const group = isGroup && kind !== 'A';
  const more = group
    ? [{ name: 'lamps', class: kind, devices: [FLEET], gateways: [CLOCK], ...owned }]
    : [];
  return {
    ...document,
    gateways: [...gatewaysIn(document), { name: CLOCK, gps: true, ...owned }],
    devices: [...listOf(document.devices, 'devices'), fleet],
    ...(more.length > 0 && { multicastGroups: more }),
    ...(drawn && updateOf(document, drawn, owned, region)),
  };
}

/** Long enough for the set-up, a session and the answers. */
const UPDATE_MINUTES = 90;

function updateOf(
  document: ScenarioDocument,
  { imageBytes, atMinutes, air, knobs, inPingSlots }: NonNullable<Fleet['campaign']>,
  owned: object,
  region: RegionName,
): ScenarioDocument {
  const image = `${FLEET}-2.0.0.bin`;
  const update = {
    name: 'spring',
    image,
    group: FLEET,
    at: `${atMinutes} min`,
    ...owned,
    ...(air && campaignAirIn(air, region)),
    ...knobs,
    ...(inPingSlots && { multicastSession: 'classB' }),
  };
  return {
    duration: `${UPDATE_MINUTES} min`,
    images: [
      ...listOf(document.images, 'images'),
      { name: image, bytes: `${imageBytes} B`, ...owned },
    ],
    groups: [...listOf(document.groups, 'groups'), { name: FLEET, devices: [FLEET], ...owned }],
    campaigns: [...listOf(document.campaigns, 'campaigns'), update],
  };
}

/** The gateways of a file; what a file has that says none. */
const gatewaysIn = ({ gateways }: ScenarioDocument): readonly unknown[] =>
  gateways === undefined ? [{}] : listOf(gateways, 'gateways');

const namesIn = ({ subscribers }: ScenarioDocument): readonly string[] =>
  Array.isArray(subscribers) ? (subscribers as string[]) : [];

/** The fleet is the last subscriber's, where there are such. */
function ownerIn(document: ScenarioDocument): { readonly subscriber?: string } {
  const subscriber = namesIn(document).at(-1);
  return subscriber === undefined ? {} : { subscriber };
}

// ── faults ───────────────────────────────────────────────────────────────────────────────────────

const faults = fc.array(
  fc.record({
    fromSeconds: fc.nat(50),
    forSeconds: fc.integer({ min: 1, max: 600 }),
    fault: fc.constantFrom('backhaul', 'radio', 'noise', 'attenuation'),
    ofDevice: fc.boolean(),
    number: fc.nat(40),
  }),
  { minLength: 1, maxLength: 3 },
);
type Faults = typeof faults extends fc.Arbitrary<infer F> ? F : never;

/** Of the fleet's gateway and devices, which nothing removes; each ends while the world runs. */
function faultEntries(drawn: Faults, { count }: Fleet): Entry[] {
  return drawn.flatMap(({ fromSeconds, forSeconds, fault, ofDevice, number }) => {
    const ofOne = ofDevice && (fault === 'radio' || fault === 'attenuation');
    const verb = ofOne ? 'deviceFault' : 'gatewayFault';
    const of = ofOne ? { device: `${FLEET}-${(number % count) + 1}` } : { gateway: CLOCK };
    const entry = (seconds: number, more: object) => ({
      seconds,
      does: { [verb]: { ...of, fault, ...more } },
    });
    return [entry(fromSeconds, {}), entry(fromSeconds + forSeconds, { on: false })];
  });
}

// ── operations ───────────────────────────────────────────────────────────────────────────────────

const operation = fc.record({
  seconds: fc.nat(60),
  /** Who asks, of those that the file names. */
  caller: fc.nat(5),
  command: arbitraryCommands,
});

/** Documented operations: any, and what a subscriber does to have devices updated. */
const operations = fc.record({
  some: fc.array(operation, { maxLength: 6, size: 'max' }),
  update: maybe(fc.record({ seconds: fc.nat(300), halts: fc.boolean() }), 1),
  job: maybe(fc.record({ seconds: fc.nat(300), caller: fc.nat(5) }), 1),
});
type Operations = typeof operations extends fc.Arbitrary<infer O> ? O : never;

/** Ids that nothing else in generated files has. */
const GROUP_ID = 'Story1';
const CAMPAIGN_ID = '00000000-0000-4000-8000-0000000000e0';
const JOB_ID = '00000000-0000-4000-8000-0000000000e1';
const STEP_SECONDS = 5;

function operationEntries(
  { some, update, job }: Operations,
  document: ScenarioDocument,
  { count }: Fleet,
): Entry[] {
  const names = namesIn(document);
  const by = (callerOfIt: number) =>
    names.length === 0 ? {} : { by: names[callerOfIt % names.length] };
  const devices = [deviceEui(FLEET, 1), deviceEui(FLEET, count)].slice(0, count);
  const story = (seconds: number, callerOfIt: object, commands: readonly object[]): Entry[] =>
    commands.map((command, i) => ({
      seconds: seconds + i * STEP_SECONDS,
      does: { command: { ...command, ...callerOfIt } },
    }));
  const ofOwner = names.length === 0 ? {} : { by: names.at(-1) };
  return [
    ...some.map(({ seconds, caller, command }) => ({
      seconds,
      does: { command: { ...mapOf(command), ...by(caller) } },
    })),
    ...(update ? story(update.seconds, ofOwner, updateStory(devices, update.halts)) : []),
    ...(job ? story(job.seconds, by(job.caller), jobStory(devices)) : []),
  ];
}

const updateStory = (devices: readonly string[], halts: boolean) => [
  { kind: 'image.create', name: 'story-3.0.0.bin', bytes: 'AAECAwQFBgc=', tags: ['story'] },
  { kind: 'deviceGroup.create', id: GROUP_ID, group: { name: 'story', devices } },
  {
    kind: 'campaign.create',
    id: CAMPAIGN_ID,
    campaign: { name: 'story', image_name: 'story-3.0.0.bin', device_group_id: GROUP_ID },
  },
  ...(halts ? [{ kind: 'campaign.halt', campaign_id: CAMPAIGN_ID }] : []),
];

/** Some ask for devices of others, and are refused as the service refuses them. */
const jobStory = (devices: readonly string[]) => [
  {
    kind: 'reliableDownlink.create',
    id: JOB_ID,
    job: {
      name: 'story',
      devices,
      downlink_hex: '01',
      downlink_fport: 9,
      expected_uplink_hex: '01',
      expected_uplink_fport: 9,
      max_retries: 2,
      retry_interval: 60,
    },
  },
  { kind: 'reliableDownlink.stop', job_id: JOB_ID },
  { kind: 'reliableDownlink.restart', job_id: JOB_ID },
];

// ── putting together ─────────────────────────────────────────────────────────────────────────────

interface Entry {
  readonly seconds: number;
  readonly does: object;
}

/** What happens in a file; `most` devices in its fleet. */
export const storiesOf = (most: number) =>
  fc.record({
    fleet: maybe(fleetOf(most), 4),
    faults: maybe(faults, 3),
    operations: maybe(operations, 4),
  });
export type Stories = ReturnType<typeof storiesOf> extends fc.Arbitrary<infer S> ? S : never;

/** A plain document in which these happen, in a region; one without a fleet stays as it is. */
export function withStories(
  document: ScenarioDocument,
  { fleet, faults: failing, operations: asked }: Stories,
  region: RegionName,
): ScenarioDocument {
  if (fleet === undefined) return document;
  const whole = withFleet(document, fleet, region);
  const entries = [
    ...(failing ? faultEntries(failing, fleet) : []),
    ...(asked ? operationEntries(asked, document, fleet) : []),
  ];
  if (entries.length === 0) return whole;
  const timeline = entries.map(({ seconds, does }) => ({ at: `${seconds} s`, ...does }));
  const isShort = !Object.hasOwn(whole, 'campaigns');
  return {
    ...whole,
    ...(isShort && { duration: `${EVENTFUL_MINUTES} min` }),
    timeline: [...listOf(whole.timeline, 'timeline'), ...timeline],
  };
}

/** So long that every fault ends, and every operation is asked for, while the world runs. */
const EVENTFUL_MINUTES = 15;
