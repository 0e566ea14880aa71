/** `fleetwave fragments`: into which fragments to cut an image, and how many more to send. */
import Table from 'cli-table3';
import { count, duration, NOTHING } from '../../reports/text/format.ts';
import {
  DEVICE_SHARES,
  type FragmentAir,
  type FragmentSize,
  fragmentSizes,
  largestFragment,
  redundancyNeeded,
} from '../../scenarios/planning/fragment-plan.ts';
import { MAX_FRAGMENT_NUMBER } from '../../sim/lorawan/fragmentation-code.ts';
import {
  loraDataRate,
  maxFrmPayload,
  REGION_NAMES,
  type Region,
  type RegionName,
  region,
  subBandOf,
} from '../../sim/lorawan/region.ts';
import { ExitCode, InputError } from './exit.ts';
import { whole } from './words.ts';

export interface FragmentsOptions {
  readonly bytes: string;
  readonly region: string;
  readonly dr?: string | undefined;
  readonly loss: string;
  readonly json?: boolean | undefined;
}

/** Bytes. */
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_LOSSES = 5;

export function fragments(options: FragmentsOptions): ExitCode {
  const asked = read(options);
  const cut = fragmentSizes(asked.bytes, asked.air);
  if (cut.length === 0) {
    const { bytes, dataRate, air } = asked;
    const most = largestFragment(air.maxFrmPayload) * MAX_FRAGMENT_NUMBER;
    throw new InputError([
      `--bytes "${bytes}" is too much at DR${dataRate}; allowed: at most ${most} bytes`,
    ]);
  }
  const sizes = cut.map((size) => ({
    ...size,
    redundancy: asked.losses.map((loss) => ({ loss, needed: redundancyNeeded(size.nbFrag, loss) })),
  }));
  process.stdout.write(
    options.json ? `${JSON.stringify(document(asked, sizes))}\n` : asText(asked, sizes),
  );
  return ExitCode.good;
}

// ── words to what is asked ───────────────────────────────────────────────────────────────────────

interface Asked {
  readonly bytes: number;
  readonly plan: Region;
  readonly dataRate: number;
  readonly frequencyHz: number;
  readonly air: FragmentAir;
  /** Shares of frames, 0…0.5. */
  readonly losses: readonly number[];
}

/** The frequency is that of RX2; the data rate that of ping slots unless asked otherwise. */
function read(options: FragmentsOptions): Asked {
  const faults: string[] = [];
  const bytes = whole('--bytes', options.bytes, 1, MOST_BYTES, faults);
  const losses = readLosses(options.loss, faults);
  const name = REGION_NAMES.find(
    (known): known is RegionName => known === options.region.toUpperCase(),
  );
  if (name === undefined) {
    faults.push(`--region "${options.region}" is not right; allowed: ${REGION_NAMES.join(', ')}`);
  }
  const plan = region(name ?? 'EU868');
  const { pingSlot, rx2 } = plan;
  const dataRate =
    options.dr === undefined ? pingSlot.dataRate : whole('--dr', options.dr, 0, 15, faults);
  if (faults.length > 0) throw new InputError(faults);
  const { frequencyHz } = rx2;
  return { bytes, plan, dataRate, frequencyHz, air: airOf(plan, dataRate), losses };
}

function readLosses(words: string, faults: string[]): number[] {
  const losses = words.split(',').map((word) => {
    const percent = /^ *\d{1,2}(\.\d{1,2})? *%? *$/.test(word) ? Number.parseFloat(word) : 0;
    return percent / 100;
  });
  if (losses.length > MOST_LOSSES || losses.some((loss) => loss <= 0 || loss > 0.5)) {
    const allowed = `up to ${MOST_LOSSES} percentages above 0 and up to 50, such as 10,30`;
    faults.push(`--loss "${words}" is not right; allowed: ${allowed}`);
  }
  return losses;
}

function airOf(plan: Region, dataRate: number): FragmentAir {
  const payload = (dr: number) => maxFrmPayload(plan, dr, plan.dwellAtStart.downlink);
  const rate = loraDataRate(plan, dataRate);
  if (rate === undefined || largestFragment(payload(dataRate)) < 1) {
    const good = plan.dataRates.flatMap((_, dr) =>
      loraDataRate(plan, dr) !== undefined && largestFragment(payload(dr)) >= 1 ? [`DR${dr}`] : [],
    );
    const what = `a LoRa data rate of ${plan.name} that carries fragments`;
    throw new InputError([`--dr "${dataRate}" is not ${what}; allowed: ${good.join(', ')}`]);
  }
  const { spreadingFactor, bandwidthHz } = rate;
  const { dutyCyclePpm } = plan.subBands[subBandOf(plan, plan.rx2.frequencyHz)]!;
  return { spreadingFactor, bandwidthHz, maxFrmPayload: payload(dataRate), dutyCyclePpm };
}

// ── figures ──────────────────────────────────────────────────────────────────────────────────────

interface Redundancy {
  readonly loss: number;
  /** By `DEVICE_SHARES`. */
  readonly needed: readonly (number | undefined)[];
}

type SizeWithRedundancy = FragmentSize & { readonly redundancy: readonly Redundancy[] };

function document(
  { bytes, plan, dataRate, frequencyHz, air }: Asked,
  all: readonly SizeWithRedundancy[],
) {
  const { spreadingFactor, bandwidthHz, dutyCyclePpm } = air;
  const place = { region: plan.name, dataRate, spreadingFactor, bandwidthHz, frequencyHz };
  const sizes = all.map(({ redundancy, ...size }) => ({
    ...size,
    redundancy: redundancy.map(({ loss, needed: [p50 = null, p90 = null, p99 = null] }) => ({
      loss,
      p50,
      p90,
      p99,
    })),
  }));
  return { bytes, ...place, dutyCycle: dutyCyclePpm / 1e6, sizes };
}

function asText(asked: Asked, sizes: readonly SizeWithRedundancy[]): string {
  const { bytes, plan, dataRate, frequencyHz, air, losses } = asked;
  const { spreadingFactor, bandwidthHz, dutyCyclePpm } = air;
  const rate = `DR${dataRate} (SF${spreadingFactor}, ${bandwidthHz / 1000} kHz)`;
  const share = `${dutyCyclePpm / 10_000} % of the time`;
  const shares = DEVICE_SHARES.map((part) => `${part * 100} %`).join(' / ');
  const lines = [
    `${count(bytes)} B, ${plan.name}, ${rate}, ${frequencyHz / 1e6} MHz, on air at most ${share}`,
    table(losses, sizes),
    'Beside: redundant fragments until that many devices are complete, by share of frames lost:',
    `${shares} of devices; estimated with the code of TS004-1.0.0.`,
    ...sizes.filter(({ defective }) => defective).map(warning),
  ];
  return `${lines.join('\n')}\n`;
}

function table(losses: readonly number[], sizes: readonly SizeWithRedundancy[]): string {
  const lost = losses.map((loss) => `${Number((loss * 100).toFixed(2))} % lost`);
  const table = new Table({
    head: ['Size', 'Fragments', 'Padding', 'Air time', 'All', 'Every', 'All take', ...lost],
    style: { head: [], border: [], compact: true },
  });
  for (const size of sizes) {
    table.push([
      `${size.fragSize} B`,
      `${count(size.nbFrag)}${size.defective ? ' !' : ''}`,
      `${size.paddingBytes} B`,
      `${(size.airtimeUs / 1000).toFixed(1)} ms`,
      duration(size.totalAirtimeUs / 1e6),
      `${(size.minIntervalUs / 1e6).toFixed(2)} s`,
      duration((size.minIntervalUs * size.nbFrag) / 1e6),
      ...size.redundancy.map(({ needed }) =>
        needed.map((some) => (some === undefined ? NOTHING : count(some))).join(' / '),
      ),
    ]);
  }
  return table.toString();
}

function warning({ fragSize, nbFrag, goodFragSize }: SizeWithRedundancy): string {
  return (
    `Warning: ${fragSize} B make ${nbFrag} fragments, of which some pairs can hardly be rebuilt ` +
    `when both are lost; take ${goodFragSize} B`
  );
}
