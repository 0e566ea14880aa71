/** The explanation of a campaign as blocks: what holds it back, and what branches come to. */
import type { Branch, CampaignExplanation } from '../../core/result/explanation.ts';
import { sumOf } from '../../sim/base/counts.ts';
import { type Block, EVERY_FORM } from '../document/document.ts';
import { count, counted, duration, joules, NOTHING, partOf } from '../text/format.ts';
import { FAILURE_WORDS, FRAGMENT_WORDS, type Words } from '../text/words.ts';
import { causes, clock } from './words.ts';

export function campaignBlocks(explained: CampaignExplanation): Block[] {
  const { campaign, scenario, seed, untilSeconds } = explained;
  const title = `Campaign ${campaign} in ${scenario}, seed ${seed}, at ${clock(untilSeconds)}`;
  return [
    { kind: 'heading', forms: EVERY_FORM, text: title },
    { kind: 'list', forms: EVERY_FORM, items: linesOf(explained) },
    ...triedTable(explained),
    { kind: 'paragraph', forms: EVERY_FORM, text: holdingBack(explained) },
  ];
}

const PHASES: Readonly<Record<string, string>> = {
  INITIALIZING: 'creation',
  WAITING_FOR_START: 'waiting for its start',
  CHECKING_VERSIONS: 'version check',
  SETTING_UP_DEVICES: 'set-up',
  SENDING_FRAGMENTS: 'fragments',
  VERIFYING: 'verification',
  WAITING_FOR_RETRY: 'pause before a round',
};

const STAGES: Readonly<Record<string, string>> = {
  FINISHED: 'finished',
  HALTED: 'halted',
  ERROR_SETTING_UP: 'not possible to set up',
};

function linesOf(explained: CampaignExplanation): string[] {
  const { devices, running, success, phases, failures, fragmentLosses } = explained;
  const { stage, stageSeconds, energy } = explained;
  const times = phases
    .filter(({ seconds }) => seconds > 1)
    .map(({ phase, seconds }) => `${PHASES[phase] ?? phase} ${duration(seconds)}`);
  const since = `${PHASES[stage] ?? STAGES[stage] ?? stage} since ${clock(stageSeconds)}`;
  return [
    `${partOf(running, devices)} devices run the new image, ${count(success)} have confirmed it.`,
    `Stage: ${since}. Time so far: ${times.join(', ') || NOTHING}.`,
    ...(sumOf(failures) === 0
      ? []
      : [`Failed: ${causes(failures, FAILURE_WORDS as Readonly<Record<string, Words>>)}.`]),
    ...(sumOf(fragmentLosses) === 0
      ? []
      : [`Fragments missed: ${causes(fragmentLosses, FRAGMENT_WORDS)}.`]),
    ...(energy === null
      ? []
      : [
          `Energy of one update: ${joules(energy.joules)} a device, as much as in ` +
            `${duration(energy.days * DAY_S)} without it, by a branch without the campaign.`,
        ]),
    ...slowestLines(explained),
  ];
}

const DAY_S = 86_400;

function slowestLines({ slowest, slowestCount, dataRate, devices }: CampaignExplanation): string[] {
  if (slowestCount === 0) return [`DR${dataRate}: no device holds the data rate down.`];
  const named = slowest.map(({ name, marginDb }) => `${name} (lacks ${(-marginDb).toFixed(1)} dB)`);
  const rest = slowestCount - slowest.length;
  const more = rest > 0 ? ` and ${count(rest)} more` : '';
  return [
    `DR${dataRate} is needed by ${counted(slowestCount, 'device')} of ${count(devices)}: ` +
      `${named.join(', ')}${more}.`,
  ];
}

function triedTable({ tried, devices }: CampaignExplanation): Block[] {
  if (tried.length === 0) return [];
  return [
    {
      kind: 'table',
      forms: EVERY_FORM,
      name: 'Other settings, by branches of the same world',
      columns: [
        { head: 'A branch of the same world with' },
        { head: 'Run the image', kind: 'number' },
        { head: 'Takes', kind: 'number' },
      ],
      rows: tried.map((branch) => [
        branch.set.join(' and '),
        partOf(branch.running ?? 0, devices),
        takes(branch),
      ]),
    },
  ];
}

const takes = ({ seconds }: Branch): string =>
  seconds === null || seconds === undefined ? 'not over at the end' : duration(seconds);

const lengthOf = ({ phases }: CampaignExplanation): number =>
  phases.reduce((sum, { seconds }) => sum + seconds, 0);

/** A branch that takes less than this part of the time, and loses next to no device. */
const SOONER = 0.75;
const NEXT_TO_ALL = 0.99;

function soonest(explained: CampaignExplanation): Branch | undefined {
  const { tried, running } = explained;
  const limit = SOONER * lengthOf(explained);
  const sooner = tried.filter(
    ({ seconds, running: run = 0 }) =>
      seconds != null && seconds < limit && run >= NEXT_TO_ALL * running,
  );
  return sooner.sort((a, b) => a.seconds! - b.seconds!)[0];
}

function holdingBack(explained: CampaignExplanation): string {
  const { withoutSlowest, slowestCount, tried, dataRate, devices, running } = explained;
  const { stage, untilSeconds } = explained;
  const best = tried.reduce<Branch | undefined>(
    (most, one) => ((one.running ?? 0) > (most?.running ?? running) ? one : most),
    undefined,
  );
  const parts: string[] = [];
  if (withoutSlowest !== null) {
    parts.push(
      `At DR${withoutSlowest.dataRate} in place of DR${dataRate}, without ` +
        `${counted(slowestCount, 'slow device')}, it takes ${takes(withoutSlowest)}, and ` +
        `${partOf(withoutSlowest.running ?? 0, devices)} run the image.`,
    );
  }
  if (best !== undefined) {
    const more = (best.running ?? 0) - running;
    parts.push(
      `With ${best.set.join(' and ')} ${counted(more, 'more device')} would run the image.`,
    );
  }
  const sooner = soonest(explained);
  if (sooner !== undefined) {
    const { seconds, running: run = 0, set } = sooner;
    const after = `${duration(seconds!)} in place of ${duration(lengthOf(explained))}`;
    parts.push(`With ${set.join(' and ')} it takes ${after}, and ${partOf(run, devices)} run it.`);
  }
  if (parts.length > 0) return parts.join(' ');
  if (STAGES[stage] === undefined) {
    const phase = PHASES[stage] ?? stage;
    return (
      `It is not over at ${clock(untilSeconds)}, and what holds it back is its ${phase}: ` +
      'fleetwave plan FILE says when its session would begin, and what makes that sooner.'
    );
  }
  if (tried.length === 0) return 'What other settings give was not computed.';
  return running < devices
    ? `None of ${counted(tried.length, 'branch', 'branches')} updates more devices.`
    : 'All devices run the image: the redundancy is enough.';
}
