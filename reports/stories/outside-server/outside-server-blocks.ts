/** Blocks on a network server outside the simulator: what it did, and what came of it. */
import type {
  OutsideCheck,
  OutsideDevice,
  OutsideServerResult,
  OutsideUpdate,
} from '../../../core/result/outside-server.ts';
import type { RunResult } from '../../../core/result/result.ts';
import { FRAGMENT_LOSSES } from '../../../sim/base/counts.ts';
import { type Block, type Cell, omission, type Table } from '../../document/document.ts';
import { count, counted, duration } from '../../text/format.ts';
import { DOWNLINK_WORDS, FRAGMENT_WORDS } from '../../text/words.ts';
import { CHECK_WORDS } from './check-words.ts';

/** Devices that HTML and Markdown list. */
const MOST_DEVICES = { html: 20, markdown: 5 } as const;

/** Nothing where the server was the simulator's own. */
export function outsideServerBlocks({ outsideServer }: RunResult): Block[] {
  if (outsideServer === undefined) return [];
  return [
    {
      kind: 'section',
      title: 'What your server did',
      level: 3,
      blocks: [lead(outsideServer), requests(outsideServer), answers(outsideServer)],
    },
    ...outsideServer.updates.map(updateSection),
  ];
}

const lead = ({ transmissions, answers: given, updates }: OutsideServerResult): Block => {
  const sent = given.sent ?? 0;
  const refused = Object.values(given).reduce<number>((sum, each) => sum + (each ?? 0), 0) - sent;
  const rounds = updates.length === 0 ? 'no update' : counted(updates.length, 'update');
  return {
    kind: 'lead',
    text: `The network server was a real one. It requested ${counted(transmissions, 'transmission')}
of the gateways, which took ${count(sent)} and refused ${count(refused)};
${rounds} over multicast.`,
  };
};

const requests = ({ requested }: OutsideServerResult): Block => ({
  kind: 'table',
  name: 'Transmissions by what they carry',
  columns: [{ head: 'Transmissions for' }, { head: 'Count', kind: 'number' }],
  rows: byCount(requested).map(([name, times]) => [REQUESTED[name] ?? name, count(times)]),
});

const REQUESTED: Readonly<Record<string, string>> = {
  joinAccept: 'Join accepts',
  mac: 'MAC commands and acknowledgements',
  application: 'Application data',
  multicast: 'Multicast frames, a copy each',
};

const answers = ({ answers: given }: OutsideServerResult): Block => ({
  kind: 'table',
  name: 'Answers of the gateways',
  columns: [{ head: 'Gateways answered' }, { head: 'Count', kind: 'number' }],
  rows: byCount(given).map(([name, times]) => [answerCell(name), count(times)]),
});

function answerCell(name: string): Cell {
  if (name === 'sent') return 'Taken into the queue';
  const words = (DOWNLINK_WORDS as Readonly<Record<string, { label: string; meaning: string }>>)[
    name
  ];
  return words === undefined ? name : { text: words.label, below: [words.meaning] };
}

const byCount = (counts: Readonly<Record<string, number | undefined>>) =>
  Object.entries(counts)
    .map(([name, times]) => [name, times ?? 0] as const)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));

// ── an update ────────────────────────────────────────────────────────────────────────────────────

const updateSection = (update: OutsideUpdate): Block => ({
  kind: 'section',
  title: `Update of group ${update.mcAddr}`,
  level: 3,
  blocks: [
    updateLead(update),
    checkTable(update),
    facts(update),
    stepTable(update),
    devices(update),
  ],
});

function updateLead({ devices: { total, complete }, checks, fragments }: OutsideUpdate): Block {
  const found = checks.filter(({ verdict }) => verdict === 'found').length;
  const things = found === 0 ? 'Nothing was found' : `${counted(found, 'thing')} found`;
  return {
    kind: 'lead',
    text: `${count(complete)} of ${counted(total, 'device')} have the whole block, of
${counted(fragments.sent, 'fragment')} that went on the air. ${things} in what the server did.`,
  };
}

const checkTable = ({ checks }: OutsideUpdate): Table => ({
  kind: 'table',
  name: 'What the update was examined for',
  columns: [{ head: '' }, { head: 'Examined', kind: 'full' }, { head: 'Found' }],
  rows: checks.map(checkRow),
});

function checkRow({ check, verdict, count: times, fragments }: OutsideCheck): Cell[] {
  const { label, rule, found, fine } = CHECK_WORDS[check];
  const cost = fragments > 0 && fragments !== times ? ` (${counted(fragments, 'fragment')})` : '';
  const outcome = {
    found: `${found(times)}${cost}`,
    fine,
    open: 'there was nothing to look at',
  }[verdict];
  const sign: Cell =
    verdict === 'open'
      ? '–'
      : { sign: verdict === 'fine' ? ('holds' as const) : ('fails' as const), hasWord: true };
  return [sign, { text: label, below: [rule] }, outcome];
}

const at = (seconds: number): string => duration(Math.max(0, Math.round(seconds)));

function facts(update: OutsideUpdate): Block {
  const { session, fragments, gateways, deviceClass, frequencyHz, dataRate, nbFrag } = update;
  const { sent, highest, copies, gapS, firstS, lastS, airtimeS } = fragments;
  const span = firstS === null || lastS === null ? 'none' : `${at(firstS)} to ${at(lastS)}`;
  const channel = `class ${deviceClass ?? '?'}, ${frequencyHz / 1e6} MHz, DR${dataRate}`;
  const length = session === null ? 0 : Math.round(session.untilS - session.fromS);
  const open =
    session === null
      ? 'never announced'
      : `${at(session.fromS)} to ${at(session.untilS)}, ${length} s`;
  const pace = gapS === null ? '' : `, one every ${gapS.toFixed(1)} s`;
  return {
    kind: 'facts',
    facts: [
      ['Channel', channel],
      ['Block', `${counted(nbFrag, 'fragment')} of ${update.fragSize} bytes`],
      ['Session', open],
      ['Fragments', `${count(sent)} different, up to number ${highest}, ${count(copies)} copies`],
      ['On the air', `${span}${pace}; ${airtimeS.toFixed(1)} s of air time`],
      [
        'Gateways',
        gateways.map(({ name, copies: each }) => `${name} ${each}`).join(', ') || 'none',
      ],
    ],
  };
}

const stepTable = ({ steps }: OutsideUpdate): Table => ({
  kind: 'table',
  name: 'Requests to single devices',
  columns: [
    { head: 'Step' },
    { head: 'From' },
    { head: 'To' },
    { head: 'Requests', kind: 'number' },
    { head: 'Devices', kind: 'number' },
    { head: 'Answered', kind: 'number' },
  ],
  rows: steps.map(({ name, firstS, lastS, requests: asked, devices: of, answered }) => [
    name,
    at(firstS),
    at(lastS),
    count(asked),
    count(of),
    count(answered),
  ]),
});

function devices({ devices: result }: OutsideUpdate): Block {
  const { total, listed, believedComplete, believedIncomplete, unknown, missed } = result;
  const why = FRAGMENT_LOSSES.filter((cause) => (missed[cause] ?? 0) > 0).map(
    (cause) => `${FRAGMENT_WORDS[cause].label} ${count(missed[cause] ?? 0)}`,
  );
  return {
    kind: 'group',
    blocks: [
      {
        kind: 'paragraph',
        text: `By the answers that gateways forwarded, the server must believe that
${count(believedComplete)} devices are complete and ${count(believedIncomplete)} are not; of
${count(unknown)} it knows nothing. Frames that devices missed while they listened:
${why.length === 0 ? 'none' : why.join(', ')}.`,
      },
      {
        kind: 'table',
        name: 'Devices, incomplete ones first',
        columns: [
          { head: 'Device' },
          { head: 'Block' },
          { head: 'Has', kind: 'number' },
          { head: 'Lacks of what was sent', kind: 'full' },
          { head: 'Server’s belief' },
        ],
        rows: listed.map(deviceRow),
        most: MOST_DEVICES,
        omitted: {
          html: omission(total - Math.min(total, MOST_DEVICES.html), 'device').html ?? '',
          markdown:
            omission(total - Math.min(total, MOST_DEVICES.markdown), 'device').markdown ?? '',
        },
      },
    ],
  };
}

function deviceRow({
  name,
  complete,
  completeS,
  has,
  lacks,
  missed,
  reported,
}: OutsideDevice): Cell[] {
  const why = byCount(missed).map(([cause, times]) => `${wordOf(cause)} ${count(times)}`);
  const block = complete ? `whole at ${at(completeS ?? 0)}` : 'not whole';
  const belief =
    reported === null ? 'unknown' : reported === 0 ? 'complete' : `${reported} missing`;
  const below = why.length === 0 ? [] : [`missed: ${why.join(', ')}`];
  return [name, block, count(has), { text: lacks === '' ? '–' : lacks, below }, belief];
}

const wordOf = (cause: string): string =>
  (FRAGMENT_WORDS as Readonly<Record<string, { label: string }>>)[cause]?.label ??
  'no copy in reach';
