/** What `fleetwave plan` says on a terminal: settings, figures, a paragraph, changes. */
import Table from 'cli-table3';
import { count, counted, duration, joules, NOTHING, percent } from '../../reports/text/format.ts';
import type { Change } from '../../scenarios/planning/changes.ts';
import type { FigureComparison } from '../../scenarios/planning/comparison.ts';
import { BATTERY_JOULES, CHIP } from '../../scenarios/planning/energy.ts';
import type { Estimate } from '../../scenarios/planning/estimate.ts';
import type { Rate } from '../../scenarios/planning/plan-settings.ts';
import { largestAt, type Settled } from '../../scenarios/planning/resolved-settings.ts';
import type { Bound } from '../../scenarios/planning/session.ts';
import { SECOND_US } from '../../sim/base/units.ts';
import type { Painter } from './colour.ts';
import { PLAN_DEFAULTS } from './plan-defaults.ts';
import { OPTION, type PlanWords } from './plan-options.ts';

export function planText(
  one: Estimate,
  all: readonly Change[],
  words: PlanWords,
  paint: Painter,
): string {
  const blocks = [
    paint.heading(headline(one)),
    tableOf(['Setting', 'Value', 'Why'], settingRows(one, words)),
    tableOf(['Estimate', 'Value', 'What it is'], figureRows(one)),
    paragraph(one),
    ...(all.length > 0 ? [`What would change most, each by itself:\n${changeTable(all)}`] : []),
    ...one.warnings.map((warning) => paint.warning(`Warning: ${warning}`)),
  ];
  return `${blocks.join('\n')}\n`;
}

type Row = readonly [name: string, value: string, why: string];

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = new Table({ head: [...head], style: { head: [], border: [], compact: true } });
  for (const row of rows) table.push([...row]);
  return table.toString();
}

function headline({ settled, heldAfterUs, holding }: Estimate): string {
  const { devices, imageBytes, plan } = settled;
  return (
    `${counted(devices, 'device')}, ${count(imageBytes)} B, ${plan.name}: ${percent(holding)} ` +
    `have the image ${lasts(heldAfterUs)} after the start.`
  );
}

const lasts = (us: number): string => duration(us / SECOND_US);

// ── settings ─────────────────────────────────────────────────────────────────────────────────────

const GIVEN = 'as asked';

function settingRows({ settled }: Estimate, words: PlanWords): readonly Row[] {
  const { asked, plan, rate, rx2, uplink, frequencyHz, dutyCycle, session } = settled;
  const chosen = (key: keyof typeof asked, why: string) => (asked[key] === undefined ? why : GIVEN);
  const usual = (name: keyof typeof PLAN_DEFAULTS) =>
    words[name] === PLAN_DEFAULTS[name] ? ' (default)' : '';
  const gateways = words.gateways === undefined ? 'one for 1000 devices' : GIVEN;
  const limit =
    dutyCycle < 1
      ? `at most ${Number((100 * dutyCycle).toFixed(2))} % of the time`
      : 'no duty cycle';
  const owner =
    frequencyHz === plan.rx2.frequencyHz ? 'RX2’s frequency' : 'RX2’s carries no fragments';
  const same =
    rx2.index === plan.rx2.dataRate ? 'as the region has it' : 'the region’s own carries no set-up';
  const pings =
    rate.index === plan.pingSlot.dataRate
      ? 'that of ping slots: for all of a cell'
      : 'the next that carries fragments';
  const size =
    settled.fragSize === largestAt(rate)
      ? `the largest that DR${rate.index} carries`
      : 'as large as serves the code well';
  return [
    [
      'Session',
      `class ${session}${usual('session')}, ${frequencyHz / 1e6} MHz`,
      `${owner}, ${limit}`,
    ],
    ['Data rate', rateText(rate), chosen('dataRate', pings)],
    ['Fragment', `${settled.fragSize} B`, chosen('fragSize', size)],
    ['Frames lost', `${percent(settled.loss)}${usual('loss')}`, `each way; ${OPTION.loss}`],
    ['Gateways', gatewaysText(settled, usual('gatewayTiming')), gateways],
    [
      'Uplinks',
      `every ${lasts(settled.periodUs)}${usual('uplinkPeriod')}, DR${uplink.index}`,
      chosen('uplinkDataRate', 'reaches as far as fragments'),
    ],
    [
      'Commands',
      `RX2 at DR${rx2.index}, RX1 at DR${settled.rx1DataRate}`,
      chosen('rx2DataRate', same),
    ],
    [
      'To have it',
      `${percent(settled.confidence)}${usual('confidence')}`,
      `share of devices; ${OPTION.confidence}`,
    ],
  ];
}

const rateText = ({ index, spreadingFactor, bandwidthHz }: Rate): string =>
  `DR${index} (SF${spreadingFactor}, ${bandwidthHz / 1000} kHz)`;

function gatewaysText({ gateways, session, timing }: Settled, usual: string): string {
  if (gateways === 1) return '1';
  return `${gateways}, ${session === 'B' ? 'in the same slots' : `${timing}${usual}`}`;
}

// ── figures ──────────────────────────────────────────────────────────────────────────────────────

const BOUNDS: Readonly<Record<Bound, string>> = {
  dutyCycle: 'as the duty cycle of the sub-band lets',
  gateways: 'as gateways take turns with it',
  air: 'as it takes on air, and a pause',
  asked: 'as asked',
  pingSlots: 'in whole ping slots',
};

function figureRows(one: Estimate): readonly Row[] {
  const { settled, session, setUp, redundancy, energy } = one;
  const { nbFrag, paddingBytes } = settled;
  const share = percent(redundancy / nbFrag);
  const listening = joules(energy.listeningJoules);
  const battery = percent(energy.joules / BATTERY_JOULES, 2);
  return [
    ['Fragments', count(nbFrag), `${count(paddingBytes)} B of padding in the last one`],
    ['Redundancy', `${count(redundancy)} (${share})`, redundancyWhy(one)],
    [
      'Air time',
      `${(session.airtimeUs / 1000).toFixed(1)} ms`,
      `of a fragment; ${lasts(session.totalAirtimeUs)} of a gateway in all`,
    ],
    ['Every', lasts(session.delayUs), BOUNDS[session.boundBy]],
    [
      'Set-up',
      lasts(setUp.totalUs),
      `${counted(setUp.uplinks, 'uplink')} each; commands alone ${lasts(setUp.commandsUs)}`,
    ],
    [
      'Sending',
      lasts(session.sendingUs),
      'from the session’s start to the end of the last fragment',
    ],
    ['Time-out', `${session.timeOut}: ${lasts(session.sessionUs)}`, timeOutWhy(one)],
    [
      'Image after',
      lasts(one.heldAfterUs),
      `from the start; ${percent(one.holding)} of devices have it`,
    ],
    ['Confirmed after', lasts(one.confirmedAfterUs), 'nine in ten of those who have it'],
    [
      'Energy',
      joules(energy.joules),
      `of a device with a ${CHIP}: ${battery} of 2400 mAh; listening ${listening}`,
    ],
  ];
}

function redundancyWhy({ settled, rebuilding, drawn, fragmentLoss }: Estimate): string {
  const lost = `${percent(fragmentLoss)} of fragments lost`;
  const checked =
    drawn === null ? '' : `; of ${count(drawn.devices)} drawn ${percent(drawn.share)}`;
  return settled.asked.redundancy === undefined
    ? `fewest for ${percent(rebuilding)} of devices, ${lost}${checked}`
    : `as asked: ${percent(rebuilding)} of devices, ${lost}${checked}`;
}

function timeOutWhy({ session, settled }: Estimate): string {
  return settled.session === 'C'
    ? 'McClassCSessionReq: 2^TimeOut s'
    : `McClassBSessionReq: 128 · 2^TimeOut s, periodicity ${session.periodicity}`;
}

// ── words ────────────────────────────────────────────────────────────────────────────────────────

function paragraph(one: Estimate): string {
  const { settled, session, setUp, redundancy, energy } = one;
  const { devices, nbFrag, rate, gateways } = settled;
  const each = gateways === 1 ? 'the gateway sends' : `each of ${gateways} gateways sends`;
  const longest = setUp.totalUs >= session.sendingUs ? 'set-up' : 'sending of the fragments';
  const sentences = [
    `The image is ${counted(nbFrag, 'fragment')} at DR${rate.index}, and ` +
      `${counted(redundancy, 'coded one')} beside: with them ` +
      `${percent(one.rebuilding)} of devices rebuild what they lose.`,
    `To set up ${counted(devices, 'device')} takes ${lasts(setUp.totalUs)}: each speaks every ` +
      `${lasts(settled.periodUs)}, and hears commands after that alone.`,
    `Then ${each} a fragment every ${lasts(session.delayUs)} for ${lasts(session.sendingUs)}, in ` +
      `a session of ${lasts(session.sessionUs)}.`,
    `So ${percent(one.holding)} of the devices have the image after ${lasts(one.heldAfterUs)}, ` +
      `and nine in ten of them have confirmed it after ${lasts(one.confirmedAfterUs)}; most of ` +
      `that is the ${longest}.`,
    `It costs a device about ${joules(energy.joules)}.`,
  ];
  return wrapped(sentences.join(' '));
}

/** Columns of a paragraph. */
const COLUMNS = 100;

function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + 1 + word.length > COLUMNS) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}

function changeTable(all: readonly Change[]): string {
  return tableOf(
    ['Setting', 'To', 'Image after', 'Difference', 'Have it'],
    all.map(({ setting, to, heldAfterUs, laterUs, holding }) => [
      OPTION[setting],
      to,
      lasts(heldAfterUs),
      difference(laterUs),
      percent(holding),
    ]),
  );
}

function difference(us: number): string {
  if (Math.abs(us) < SECOND_US) return 'none';
  return `${us < 0 ? '−' : '+'}${lasts(Math.abs(us))}`;
}

// ── beside the simulation ────────────────────────────────────────────────────────────────────────

const FIGURES: Readonly<Record<string, string>> = {
  fragments: 'Fragments',
  redundancy: 'Redundancy',
  sent: 'Frames sent, all gateways',
  setUp: 'Set-up',
  setUpShare: 'Set up in time',
  sending: 'Sending, with its pause',
  holding: 'Have the image',
  confirmed: 'Confirmed by nine in ten',
  listening: 'Listening, a device',
};

export function comparisonText(rows: readonly FigureComparison[]): string {
  return tableOf(
    ['', 'Estimated', 'Simulated', 'Ratio'],
    rows.map(({ figure, unit, estimated, simulated }) => [
      FIGURES[figure] ?? figure,
      figureText(estimated, unit),
      simulated === null ? NOTHING : figureText(simulated, unit),
      simulated === null ? NOTHING : (simulated / estimated).toFixed(3),
    ]),
  );
}

function figureText(value: number, unit: FigureComparison['unit']): string {
  if (unit === 'seconds') return duration(value);
  if (unit === 'joules') return joules(value);
  return unit === 'share' ? percent(value) : count(value);
}
