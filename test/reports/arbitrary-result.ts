/** Results that a world could give, with any text wherever a user or a configuration puts text. */
import fc from 'fast-check';
import {
  CONFIGURATION_CANCELLATIONS,
  CONFIGURATION_FAILURES,
  type ConfigurationPopulation,
  type ConfigurationResult,
  ROLLOUT_STATUSES,
} from '../../core/result/configuration.ts';
import {
  type AlertsResult,
  CHANGE_FATES,
  DELIVERY_FATES,
  type DeliveriesResult,
  type MonitoredGateway,
  type ReceiverResult,
  type TargetResult,
} from '../../core/result/delivery.ts';
import type { Manifest } from '../../core/result/manifest.ts';
import {
  type DeviceOutcome,
  FAILURE_CAUSES,
  type OutcomeCounts,
} from '../../core/result/outcome.ts';
import {
  type CampaignResult,
  JOB_FAILURES,
  type JobResult,
  type MulticastGroupResult,
  type RunResult,
} from '../../core/result/result.ts';
import type { ReportInput } from '../../reports/stories/run/report-input.ts';
import {
  addedUp,
  COUNTED_SUMS,
  type CountedSum,
  type Counts,
  DOWNLINK_LOSSES,
  FRAGMENT_LOSSES,
  GATEWAY_REFUSALS,
  PLAN_REFUSALS,
  sumOf,
  UPLINK_FATES,
  UPLINK_LOSSES,
} from '../../sim/base/counts.ts';

const frames = fc.nat({ max: 5_000_000 });
const share = fc.double({ min: 0, max: 1, noNaN: true });
const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
const places = fc.integer({ min: -50_000, max: 50_000 });

const COUNTED_NAMES = Object.keys(COUNTED_SUMS);
const countedOf = (times: readonly number[]) =>
  Object.fromEntries(COUNTED_NAMES.map((name, at) => [name, times[at]!])) as Counts<CountedSum>;

/** Counts of some of these causes. */
const counts = <Cause extends string>(causes: readonly Cause[], times = frames) =>
  fc
    .dictionary(fc.constantFrom(...causes), times, { maxKeys: 6, noNullPrototype: true })
    .map((each) => each as Counts<Cause>);

/** `part` of `whole`: the first is at most the second. */
const parts = fc.tuple(frames, frames).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

const percentiles = fc.option(
  fc.tuple(share, share, share, share).map((values) => {
    const [p10, p50, p90, max] = values.sort((a, b) => a - b);
    return { p10, p50, p90, max };
  }),
);

const gateways = fc.array(
  fc.record({
    name: texts,
    eui: texts,
    xMeters: places,
    yMeters: places,
    uplinksReceived: frames,
    fates: counts(UPLINK_FATES),
    downlinksSent: frames,
    airtimeSeconds: fc.double({ min: 0, max: 1e6, noNaN: true }),
    dutyCycle: fc.dictionary(texts, share, { maxKeys: 3, noNullPrototype: true }),
  }),
  { maxLength: 4 },
);

const radio = fc
  .record({ received: frames, lost: counts(UPLINK_LOSSES), receptions: counts(UPLINK_FATES) })
  .map((fates) => ({
    ...fates,
    uplinks: fates.received + sumOf(fates.lost),
  }));

const downlinks = fc
  .record({
    received: frames,
    refused: counts([...PLAN_REFUSALS, ...GATEWAY_REFUSALS]),
    retried: counts(GATEWAY_REFUSALS),
    lost: counts(DOWNLINK_LOSSES),
  })
  .map((fates) => {
    const sent = fates.received + sumOf(fates.lost);
    return { ...fates, sent, requested: sent + sumOf(fates.refused), multicastSent: 0 };
  });

const populations = fc.array(
  fc
    .tuple(texts, parts, parts, percentiles)
    .map(([name, [joined, devices], [messagesDelivered, messages], deliveryRatio]) => ({
      name,
      devices,
      joined,
      messages,
      messagesDelivered,
      messagesDropped: messages - messagesDelivered,
      deliveryRatio,
    })),
  { maxLength: 3 },
);

const map = fc
  .array(
    fc.tuple(
      places,
      places,
      fc.integer({ min: -1, max: 1_000 }),
      fc.nat({ max: 7 }),
      fc.nat({ max: 3 }),
    ),
    { maxLength: 40 },
  )
  .map((rows) => ({
    xMeters: rows.map(([x]) => x),
    yMeters: rows.map(([, y]) => y),
    deliveredPermille: rows.map(([, , permille]) => permille),
    dataRate: rows.map(([, , , dataRate]) => dataRate),
    updated: rows.map(([, , , , updated]) => updated),
  }));

const devices = fc
  .record({
    join: parts,
    delivery: parts,
    confirmed: fc.tuple(parts, share),
    joinSeconds: percentiles,
    deliveryRatio: percentiles,
    joinRequests: frames,
    retransmissions: frames,
    dutyCycleWaits: frames,
    byDataRate: fc.dictionary(texts, frames, { maxKeys: 6, noNullPrototype: true }),
    populations,
    map,
  })
  .map(({ join, delivery, confirmed: [[acknowledged, sent], lost], ...others }) => ({
    ...others,
    joined: join[0],
    total: join[1],
    messagesDelivered: delivery[0],
    messages: delivery[1],
    messagesDropped: delivery[1] - delivery[0],
    confirmed: { sent, acknowledged, failed: Math.floor((sent - acknowledged) * lost) },
  }));

const series = fc
  .tuple(
    fc.integer({ min: 1, max: 86_400 }),
    fc.array(fc.tuple(parts, frames, frames), { maxLength: 12 }),
  )
  .map(([sliceSeconds, slices]) => ({
    sliceSeconds,
    uplinks: slices.map(([[, uplinks]]) => uplinks),
    received: slices.map(([[received]]) => received),
    interfered: slices.map(([[received, uplinks]]) => uplinks - received),
    downlinks: slices.map(([, count]) => count),
    joined: slices.map(([, , count]) => count).sort((a, b) => a - b),
  }));

const seconds = fc.double({ min: 0, max: 1e6, noNaN: true });
const rising = (values: readonly number[]) => [...values].sort((a, b) => a - b);

/** Devices of a population that succeed, fail by causes, are in progress, and may run the image. */
const outcomes: fc.Arbitrary<OutcomeCounts> = fc
  .record({
    success: fc.nat({ max: 30 }),
    inProgress: fc.nat({ max: 9 }),
    failures: counts(FAILURE_CAUSES, fc.nat({ max: 20 })),
    unheard: fc.nat({ max: 9 }),
  })
  .map(({ success, inProgress, failures, unheard }) => {
    const failed = sumOf(failures);
    const devices = success + inProgress + failed;
    const running = Math.min(devices, success + unheard);
    return { devices, running, success, inProgress, failed, failures };
  });

/** Populations make up their campaign, whose devices succeed at these times. */
const fates = fc.array(fc.tuple(fc.option(texts), outcomes), { maxLength: 3 }).chain((rows) => {
  const populations = rows.map(([name, outcome]) => ({ name, ...outcome }));
  const total = (key: 'devices' | 'running' | 'success' | 'inProgress' | 'failed') =>
    populations.reduce((sum, each) => sum + each[key], 0);
  const failures = addedUp(populations.map((each) => each.failures));
  const [devices, success] = [total('devices'), total('success')];
  const times = fc.array(seconds, { minLength: success, maxLength: success }).map(rising);
  return times.map((completionSeconds) => {
    const time = (percentage: number) =>
      completionSeconds[Math.ceil((devices * percentage) / 100) - 1] ?? null;
    const sums = {
      devices,
      success,
      running: total('running'),
      inProgress: total('inProgress'),
      failed: total('failed'),
      failures,
      populations,
    };
    return { ...sums, completionSeconds, t50: time(50), t90: time(90), t99: time(99) };
  });
});

const hexes = fc.constantFrom('0102030000000000', 'FFFFFFFF00000001');
const failedDevices: fc.Arbitrary<DeviceOutcome> = fc.record({
  devEui: texts,
  name: fc.option(texts),
  population: fc.option(texts),
  fate: fc.constant('failed' as const),
  cause: fc.constantFrom(...FAILURE_CAUSES),
  step: fc.option(texts),
  runs: fc.option(fc.boolean()),
  dataRate: fc.option(fc.nat({ max: 15 })),
  gateways: fc.option(fc.nat({ max: 20 })),
  fragmentsHeld: fc.option(frames),
  fragmentsNeeded: fc.option(frames),
  fragmentsMissing: fc.option(frames),
  versionBefore: fc.option(hexes),
  version: fc.option(hexes),
  joules: fc.option(seconds),
});

/** Names with ascending times, and names with descending counts. */
const stages = fc
  .array(fc.tuple(texts, seconds), { maxLength: 5 })
  .map((rows) => rows.sort(([, a], [, b]) => a - b))
  .map((rows) => rows.map(([stage, atSeconds]) => ({ stage, atSeconds })));
const funnel = fc
  .array(fc.tuple(texts, fc.nat({ max: 60 })), { maxLength: 5 })
  .map((rows) => rows.sort(([, a], [, b]) => b - a))
  .map((rows) => rows.map(([step, devices]) => ({ step, devices })));

const campaigns: fc.Arbitrary<CampaignResult> = fc
  .record({
    name: texts,
    image: fc.record({ name: texts, bytes: frames, sha256: texts }),
    stage: texts,
    fates,
    sent: frames,
    nbFrag: fc.nat({ max: 16_383 }),
    fragSize: fc.nat({ max: 255 }),
    delegated: fc.nat(100),
    redundancy: fc.nat({ max: 16_383 }),
    repairs: frames,
    dataRate: fc.nat({ max: 15 }),
    frequencyHz: fc.nat({ max: 1_000_000_000 }),
    gateways: fc.array(texts, { maxLength: 8 }),
    stages,
    funnel,
    rounds: fc.nat({ max: 9 }),
    failedDevices: fc.array(failedDevices, { maxLength: 3 }),
    fragmentLosses: counts(FRAGMENT_LOSSES),
    verified: parts.map(([right, rebuilt]) => ({ right, rebuilt })),
    owner: fc.option(texts),
  })
  .map(({ fates: all, owner, ...others }) => {
    return { ...others, ...(owner === null ? {} : { subscriber: owner }), ...all };
  });

/** Each device has one state, and who answered has received. */
const jobs: fc.Arbitrary<JobResult> = fc
  .record({
    name: texts,
    status: texts,
    pending: frames,
    success: frames,
    failures: counts(JOB_FAILURES),
    tries: frames,
    owner: fc.option(texts),
  })
  .map(({ owner, ...job }) => ({
    ...job,
    ...(owner === null ? {} : { subscriber: owner }),
    devices: job.pending + job.success + sumOf(job.failures),
    received: job.success,
    triesToSuccess: null,
    successSeconds: null,
  }));

/** A frame has one fate at each member. */
const groups: fc.Arbitrary<MulticastGroupResult> = fc
  .record({
    name: texts,
    eui: fc.constant('0A00000000000001'),
    frames,
    heard: frames,
    missed: counts(FRAGMENT_LOSSES),
    outOfReach: frames,
  })
  .map((group) => ({ ...group, toHear: group.heard + sumOf(group.missed) + group.outOfReach }));

/** A delivery has one fate, and the sums are those of all targets. */
const deliveryCounts = fc
  .record({ fates: counts(DELIVERY_FATES), attempts: frames })
  .map((each) => ({ ...each, emitted: sumOf(each.fates) }));
const targets: fc.Arbitrary<TargetResult> = fc
  .record({
    of: deliveryCounts,
    owner: fc.option(texts),
    matter: fc.constantFrom('uplink' as const, 'gateway_connectivity' as const),
    kind: fc.constantFrom('webhook' as const, 'mqtt' as const, 'cloudA' as const),
    address: texts,
  })
  .map(({ of, owner, ...target }) => {
    return { ...target, ...of, ...(owner === null ? {} : { subscriber: owner }) };
  });
const receivers: fc.Arbitrary<ReceiverResult> = fc
  .record({ name: texts, at: texts, requests: frames, distinct: frames, duplicates: frames })
  .map((each) => ({ ...each, received: each.distinct + each.duplicates }));
const deliveries: fc.Arbitrary<DeliveriesResult> = fc
  .record({
    targets: fc.array(targets, { maxLength: 3 }),
    removedTargets: deliveryCounts,
    receivers: fc.array(receivers, { maxLength: 2 }),
  })
  .map((each) => {
    const all = [...each.targets, each.removedTargets];
    const total = (key: 'emitted' | 'attempts') => all.reduce((sum, of) => sum + of[key], 0);
    const fates = addedUp(all.map((of) => of.fates));
    return { ...each, emitted: total('emitted'), attempts: total('attempts'), fates };
  });

/** A change of connectivity has one fate. */
const monitored: fc.Arbitrary<MonitoredGateway> = fc
  .record({ name: texts, eui: texts, fates: counts(CHANGE_FATES) })
  .map((each) => ({ ...each, changes: sumOf(each.fates) }));
const alerts: fc.Arbitrary<AlertsResult> = fc
  .record({
    alerts: fc.array(fc.record({ name: texts, gateways: frames, destinations: frames })),
    gateways: fc.array(monitored, { maxLength: 3 }),
  })
  .map((each) => ({
    ...each,
    changes: each.gateways.reduce((sum, { changes }) => sum + changes, 0),
    fates: addedUp(each.gateways.map(({ fates }) => fates)),
  }));

/** A rollout has one state; the latest of each device is counted with its population. */
const configured: fc.Arbitrary<ConfigurationPopulation> = fc
  .record({
    name: texts,
    status: counts(ROLLOUT_STATUSES),
    failures: counts(CONFIGURATION_FAILURES),
    set: fc.option(frames),
    suspended: frames,
    fragments: frames,
    fragmentsConfirmed: frames,
    appliedSeconds: percentiles,
  })
  .map((each) => {
    const devices = sumOf(each.status);
    return { ...each, devices, set: each.set === null ? null : Math.min(each.set, devices) };
  });
const instants = fc.array(fc.nat({ max: 100_000 }), { maxLength: 9 });
const configurations: fc.Arbitrary<ConfigurationResult> = fc
  .record({
    populations: fc.array(configured, { maxLength: 3 }),
    active: frames,
    applied: frames,
    failed: counts(CONFIGURATION_FAILURES),
    cancelled: counts(CONFIGURATION_CANCELLATIONS),
    tries: frames,
    suspensions: frames,
    appliedAtSeconds: instants,
    setAtSeconds: instants,
  })
  .map(({ active, applied, failed, cancelled, ...each }) => {
    const created = active + applied + sumOf(failed) + sumOf(cancelled);
    return { ...each, rollouts: { made: created, active, applied, failed, cancelled } };
  });

export const results: fc.Arbitrary<RunResult> = fc.record({
  scenario: fc.record({ name: texts, description: texts }),
  seed: texts,
  digest: texts,
  complete: fc.boolean(),
  virtualSeconds: fc.nat({ max: 100_000_000 }),
  events: frames,
  region: texts,
  frames: fc.constantFrom('real' as const, 'counted' as const),
  radio,
  downlinks,
  gateways,
  devices,
  campaigns: fc.array(campaigns, { maxLength: 2 }),
  reliableDownlinks: fc.array(jobs, { maxLength: 2 }),
  multicastGroups: fc.array(groups, { maxLength: 2 }),
  configurations,
  deliveries,
  alerts,
  series,
  counted: fc.tuple(...COUNTED_NAMES.map(() => frames)).map(countedOf),
  warnings: fc.array(texts, { maxLength: 3 }),
});

/** Files are text or base64. */
const manifests: fc.Arbitrary<Manifest> = fc.record({
  scenario: texts,
  files: fc.array(
    fc.oneof(
      fc.record({ path: texts, text: texts }),
      fc.record({ path: texts, base64: fc.base64String() }),
    ),
    { maxLength: 2 },
  ),
  set: fc.array(texts, { maxLength: 2 }),
  seed: texts,
});

export const inputs: fc.Arbitrary<ReportInput> = fc
  .record({
    result: results,
    expectations: fc.array(
      fc.record({ expectation: texts, actual: fc.double(), holds: fc.boolean() }),
      { maxLength: 3 },
    ),
    manifest: fc.option(manifests),
    version: texts,
  })
  .map(({ manifest, ...input }) => ({ ...input, ...(manifest && { manifest }) }));
