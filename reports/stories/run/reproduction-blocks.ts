/** The end of a report: how to run it again, and all that the run was made of. */
import type { Manifest, ManifestFile } from '../../../core/result/manifest.ts';
import { type Block, HTML, MARKDOWN } from '../../document/document.ts';
import { counted } from '../../text/format.ts';
import type { ReportInput } from './report-input.ts';
import { BRIDGE_AGAIN, REPLAY, reproduction, SESSION_AGAIN } from './reproduction.ts';

/** Markdown has the commands, HTML also what the run was made of. */
export function reproductionBlocks(input: ReportInput): Block[] {
  const { result, manifest, version, goesOn = false } = input;
  const byFile = reproduction(result, manifest);
  const again = result.outsideServer === undefined ? REPLAY : BRIDGE_AGAIN;
  const { command, sentence } = goesOn ? SESSION_AGAIN : manifest ? again : byFile;
  const same = `: Fleetwave ${version} gives
the same one on every machine.`;
  return [
    {
      kind: 'section',
      forms: HTML,
      title: 'Run it again',
      blocks: [
        {
          kind: 'group',
          blocks: [
            { kind: 'code', text: command },
            {
              kind: 'paragraph',
              text: [`${sentence} Its digest is `, { code: result.digest }, same],
            },
          ],
        },
        ...(manifest === undefined ? [] : [contents(manifest, byFile)]),
      ],
    },
    ...(result.outsideServer === undefined ? commands(byFile, manifest) : bridged()),
  ];
}

const bridged = (): Block[] => [
  { kind: 'paragraph', forms: MARKDOWN, text: [BRIDGE_AGAIN.sentence, { own: ' Run it again:' }] },
  { kind: 'code', forms: MARKDOWN, text: BRIDGE_AGAIN.command, language: 'sh' },
];

type Reproduction = ReturnType<typeof reproduction>;

function commands({ command, sentence }: Reproduction, manifest: Manifest | undefined): Block[] {
  const isStored = manifest !== undefined;
  const words = isStored ? `${REPLAY.sentence} ${sentence}` : sentence;
  const text = isStored ? `${REPLAY.command}\n${command}` : command;
  return [
    { kind: 'paragraph', forms: MARKDOWN, text: [words, { own: ' Run it again:' }] },
    { kind: 'code', forms: MARKDOWN, text, language: 'sh' },
  ];
}

const contents = (manifest: Manifest, { command, sentence }: Reproduction): Block => ({
  kind: 'group',
  blocks: [
    { kind: 'hint', text: `From the file of the scenario. ${sentence}` },
    { kind: 'code', text: command },
    unfolded('The scenario as it was read', manifest.scenario),
    ...manifest.files.map(fileIn),
  ],
});

const fileIn = (file: ManifestFile): Block =>
  'text' in file
    ? unfolded(file.path, file.text)
    : {
        kind: 'hint',
        text: `${file.path}, ${counted(bytesOf(file.base64), 'byte')}: its bytes are in
result.json.`,
      };

const unfolded = (name: string, text: string): Block => ({
  kind: 'details',
  summary: `${name}, ${counted(text.trimEnd().split('\n').length, 'line')}`,
  blocks: [{ kind: 'code', text }],
});

/** Of base64 with its padding. */
const bytesOf = (base64: string): number =>
  (base64.length / 4) * 3 - (/=*$/.exec(base64)?.[0].length ?? 0);
