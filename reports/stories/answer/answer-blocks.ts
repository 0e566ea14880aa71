/** The first screen of a report: five figures, and a sentence for each campaign. */
import { type Block, HTML, type Text } from '../../document/document.ts';
import { type KeyFigure, keyFigures } from '../../figures/key-figures.ts';
import type { ReportInput } from '../run/report-input.ts';
import { shellWord } from '../run/reproduction.ts';
import { campaignAnswer } from './campaign-answer.ts';

const FIGURES_SHOWN = 5;
const CAMPAIGNS_SHOWN = 4;

/** By name, the first that were measured. */
const MATTER = ['campaign.runsIt', 'campaign.updated', 'joined', 'messagesDelivered', 'received'];

function figuresThatMatter(input: ReportInput): readonly KeyFigure[] {
  const all = keyFigures(input.result);
  const named = MATTER.flatMap((name) => all.filter(({ figure }) => figure.name === name));
  const others = all.filter((each) => !named.includes(each));
  const measured = [...named, ...others].filter(({ value }) => !Number.isNaN(value));
  return measured.slice(0, FIGURES_SHOWN);
}

export function answerBlocks(input: ReportInput): Block[] {
  const { result, columns } = input;
  const shown = result.campaigns.slice(0, CAMPAIGNS_SHOWN);
  const sentences = shown.flatMap((campaign): Block[] => {
    const recorded = columns?.campaigns.find(({ name }) => name === campaign.name);
    const words: Text = [`Campaign ${campaign.name}: `, campaignAnswer(campaign, recorded)];
    const isSolved = campaign.success === campaign.devices;
    const command = `fleetwave explain campaign ${shellWord(campaign.name)} --run .`;
    return [
      { kind: 'lead', forms: HTML, text: words },
      ...(isSolved
        ? []
        : [
            {
              kind: 'hint',
              forms: HTML,
              text: ['Branches of the same world with other settings: ', { code: command }],
            } as const,
          ]),
    ];
  });
  const more = result.campaigns.length - shown.length;
  return [
    {
      kind: 'figures',
      forms: HTML,
      name: 'Five figures',
      figures: figuresThatMatter(input),
      hasCounts: true,
    },
    ...(sentences.length === 0
      ? []
      : [
          {
            kind: 'section',
            forms: HTML,
            title: 'What happened, and what to change',
            blocks: [
              ...sentences,
              ...(more > 0
                ? [{ kind: 'hint', forms: HTML, text: `And ${more} more, below.` } as const]
                : []),
            ],
          } as const,
        ]),
  ];
}
