/** The explanation of a device as blocks: its story, its state, and what would have saved it. */
import type { Branch, DeviceExplanation, DeviceState } from '../../core/result/explanation.ts';
import type { CampaignDevice } from '../../core/result/outcome.ts';
import { entriesOf, sumOf } from '../../sim/base/counts.ts';
import { type Block, EVERY_FORM } from '../document/document.ts';
import { counted, duration, joules } from '../text/format.ts';
import { ENERGY_WORDS, FAILURE_WORDS } from '../text/words.ts';
import { eventTime, eventWords } from './event-words.ts';
import { clock, hopeless, labelOf, version } from './words.ts';

export function deviceBlocks(explained: DeviceExplanation): Block[] {
  const { device, scenario, seed, events, fromSeconds, untilSeconds } = explained;
  const { name, devEui, population } = device;
  const width = Math.max(0, ...events.map((event) => eventTime(event).length));
  return [
    heading(
      `${name} (${devEui}, population ${population}) in ${scenario}, seed ${seed}, ` +
        `${clock(fromSeconds)} to ${clock(untilSeconds)} of virtual time`,
    ),
    list(
      events.length === 0
        ? ['Nothing happened.']
        : events.map((event) => `${eventTime(event).padEnd(width)}  ${eventWords(event)}`),
    ),
    heading(`At ${clock(untilSeconds)}`),
    list([...stateLines(explained.state), ...explained.campaigns.flatMap(campaignLines)]),
    ...energyLines(explained.state),
    paragraph(savingSentence(explained)),
  ];
}

const heading = (text: string): Block => ({ kind: 'heading', forms: EVERY_FORM, text });
const list = (items: readonly string[]): Block => ({ kind: 'list', forms: EVERY_FORM, items });
const paragraph = (text: string): Block => ({ kind: 'paragraph', forms: EVERY_FORM, text });

// ── the state ────────────────────────────────────────────────────────────────────────────────────

const LINKS_NAMED = 3;

function stateLines(state: DeviceState | null): string[] {
  if (state === null) return ['The device is not in the network.'];
  const { activation, deviceClass, dataRate, txPowerIndex, links } = state;
  const session =
    activation === 'active'
      ? `joined, at DR${dataRate} and TXPower ${txPowerIndex}`
      : activation === 'joining'
        ? 'not joined: it still sends join requests'
        : 'without a session';
  const firmware = `firmware ${version(state.version)}${fragmentsHeld(state)}`;
  const reach = links.slice(0, LINKS_NAMED).map(({ gateway, upMarginDb, downMarginDb }) => {
    return `${gateway} ${signed(upMarginDb)} dB up and ${signed(downMarginDb)} dB down`;
  });
  return [
    `Class ${deviceClass}, ${session}; ${firmware}; ${clockWords(state)}.`,
    reach.length === 0
      ? 'No gateway is in reach.'
      : `Margins above sensitivity: ${reach.join('; ')}.`,
  ];
}

const fragmentsHeld = ({ fragments }: DeviceState): string =>
  fragments === null ? '' : `, ${fragments.held} fragments stored (${fragments.needed} needed)`;

function clockWords({ clockErrorSeconds }: DeviceState): string {
  if (clockErrorSeconds === null) return 'its clock was never set';
  const off = Math.abs(clockErrorSeconds);
  if (off < 0.05) return 'its clock is right';
  return `its clock is ${duration(off)} ${clockErrorSeconds > 0 ? 'ahead' : 'behind'}`;
}

const signed = (value: number): string => {
  const rounded = value.toFixed(1);
  return value > 0 ? `+${rounded}` : rounded.replace('-', '−');
};

function campaignLines({ campaign, fate, cause, step, runs }: CampaignDevice): string[] {
  if (campaign === null) return ['It is in no campaign.'];
  const believed = {
    none: 'nothing',
    confirmed: 'it is updated',
    inProgress: `it is in progress${step === null ? '' : `, ${step} done`}`,
    failed: 'it failed',
  }[fate];
  const is = runs === true ? 'it runs the new image' : 'it does not run the new image';
  const lines = [`Campaign ${campaign}: the service believes that ${believed}; in truth ${is}.`];
  if (cause === null) return lines;
  const { meaning } = FAILURE_WORDS[cause];
  return [...lines, `Cause: ${labelOf(FAILURE_WORDS[cause])}. ${meaning}`];
}

/** Smaller shares of the energy are left out. */
const LEAST_SHARE = 0.01;

function energyLines(state: DeviceState | null): Block[] {
  if (state?.joules == null) return [];
  const all = sumOf(state.joules);
  const parts = entriesOf(state.joules)
    .filter(([, amount]) => amount >= LEAST_SHARE * all)
    .sort(([, a], [, b]) => b - a)
    .map(([cause, amount]) => `${labelOf(ENERGY_WORDS[cause])} ${joules(amount)}`);
  return [list([`Energy since power-on: ${joules(all)} (${parts.join(', ')}).`])];
}

// ── the last sentence ────────────────────────────────────────────────────────────────────────────

function savingSentence({ saving, campaigns, state }: DeviceExplanation): string {
  const { verdict, branches, why = '' } = saving;
  switch (verdict) {
    case 'needless':
      return needlessWords(campaigns, state);
    case 'hopeless':
      return `No setting would have saved it. ${hopeless(why)}`;
    case 'not computed':
      return 'What would have saved it was not computed.';
    case 'saved': {
      const last = branches.at(-1)!;
      return (
        `What would have ${isUnheard(campaigns) ? 'shown that it runs the image' : 'saved it'}: ` +
        `${last.set.join(' and ')}, given at ${clock(last.atSeconds)}. That is the ` +
        `outcome of ${counted(branches.length, 'branch', 'branches')} of the same world` +
        `${failedBranches(branches.slice(0, -1))}.`
      );
    }
    case 'not saved':
      return (
        `None of ${counted(branches.length, 'setting')} tried would have ` +
        `${isUnheard(campaigns) ? 'shown that it runs the image' : 'saved it'}, by as many ` +
        `branches of the same world before the end of the run: ` +
        `${branches.map(({ set }) => set.join(' and ')).join('; ')}.`
      );
  }
}

/** It runs the image, and the service does not know. */
const isUnheard = (campaigns: readonly CampaignDevice[]): boolean =>
  campaigns.some(({ runs, fate }) => runs === true && fate === 'failed');

const failedBranches = (others: readonly Branch[]): string =>
  others.length === 0
    ? ''
    : `; ${others.map(({ set }) => set.join(' and ')).join(', ')} did not help`;

function needlessWords(campaigns: readonly CampaignDevice[], state: DeviceState | null): string {
  if (campaigns.some(({ fate }) => fate === 'confirmed')) {
    return 'It was updated: nothing was needed to save it.';
  }
  if (campaigns.some(({ fate }) => fate === 'inProgress')) return 'Its campaign is not over yet.';
  return state?.activation === 'joining'
    ? 'It is in no campaign that failed; it has not joined yet.'
    : 'It failed in no campaign: nothing was needed to save it.';
}
