/** The figures that most people look for first: the same in every form of report. */
import type { CampaignResult, RunResult } from '../../core/result/result.ts';
import { figureText, NOTHING, partOf } from '../text/format.ts';
import type { Figure } from './figure.ts';
import { FIGURES } from './figures.ts';

export interface KeyFigure {
  readonly figure: Figure;
  /** NaN when it was not measured. */
  readonly value: number;
  /** The value in its unit. */
  readonly text: string;
  /** Beside the value, such as `921 of 944` beside a share; may be empty. */
  readonly hint: string;
}

/** Rows of `FIGURES` that are key figures of a run, in their order. */
export function keyFigures(result: RunResult): readonly KeyFigure[] {
  return FIGURES.flatMap((figure) => {
    if (figure.key === undefined) return [];
    const value = figure.of(result);
    if (figure.key === 'measured' && Number.isNaN(value)) return [];
    return [
      shown(figure, value, figure.parts === undefined ? '' : partOf(...figure.parts(result))),
    ];
  });
}

/** Rows of `FIGURES` that are key figures of a campaign, in their order. */
export function campaignFigures(campaign: CampaignResult): readonly KeyFigure[] {
  return FIGURES.flatMap((figure) => {
    const { ofCampaigns, campaignHint } = figure;
    if (ofCampaigns === undefined || campaignHint === undefined) return [];
    return [shown(figure, ofCampaigns([campaign]), campaignHint(campaign))];
  });
}

function shown(figure: Figure, value: number, hint: string): KeyFigure {
  const { unit, unmeasured = NOTHING } = figure;
  return { figure, value, text: Number.isNaN(value) ? unmeasured : figureText(value, unit), hint };
}
