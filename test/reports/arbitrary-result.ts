/** Results that a world could give, with any text wherever a user or a configuration puts text. */
import fc from 'fast-check';
import type { RunResult } from '../../core/result.ts';
import type { ReportInput } from '../../reports/report-input.ts';

const frames = fc.nat({ max: 5_000_000 });
const share = fc.double({ min: 0, max: 1, noNaN: true });
const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
const places = fc.integer({ min: -50_000, max: 50_000 });

/** Counts by cause; the causes are those of the standard words and others. */
const counts = fc.dictionary(
  fc.oneof(fc.constantFrom('tooWeak', 'noPath', 'halfDuplex', 'interfered', 'dutyCycle'), texts),
  frames,
  { maxKeys: 6, noNullPrototype: true },
);

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
    fates: counts,
    downlinksSent: frames,
    airtimeSeconds: fc.double({ min: 0, max: 1e6, noNaN: true }),
    dutyCycle: fc.dictionary(texts, share, { maxKeys: 3, noNullPrototype: true }),
  }),
  { maxLength: 4 },
);

const radio = fc.record({ received: frames, lost: counts, receptions: counts }).map((fates) => ({
  ...fates,
  uplinks: fates.received + sum(fates.lost),
}));

const downlinks = fc.record({ received: frames, refused: counts, lost: counts }).map((fates) => {
  const sent = fates.received + sum(fates.lost);
  return { ...fates, sent, requested: sent + sum(fates.refused) };
});

const populations = fc.array(
  fc.tuple(texts, parts, parts).map(([name, [joined, devices], [messagesDelivered, messages]]) => ({
    name,
    devices,
    joined,
    messages,
    messagesDelivered,
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
    byDataRate: counts,
    populations,
    map,
  })
  .map(({ join, delivery, confirmed: [[acknowledged, sent], lost], ...others }) => ({
    ...others,
    joined: join[0],
    total: join[1],
    messagesDelivered: delivery[0],
    messages: delivery[1],
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
  campaigns: fc.constant([]),
  series,
  warnings: fc.array(texts, { maxLength: 3 }),
});

export const inputs: fc.Arbitrary<ReportInput> = fc.record({
  result: results,
  expectations: fc.array(
    fc.record({ expectation: texts, actual: fc.double(), holds: fc.boolean() }),
    { maxLength: 3 },
  ),
  version: texts,
});

function sum(counted: Readonly<Record<string, number>>): number {
  return Object.values(counted).reduce((total, count) => total + count, 0);
}
