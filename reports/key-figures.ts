/** The figures that most people look for first: the same in every form of report. */
import type { RunResult } from '../core/result.ts';
import { FIGURES, type Figure } from './figures.ts';
import { figureText, partOf } from './render/format.ts';

export interface KeyFigure {
  readonly figure: Figure;
  /** NaN when it was not measured. */
  readonly value: number;
  /** The value in its unit. */
  readonly text: string;
  /** Of a share what it was taken of: `921 of 944`; else empty. */
  readonly hint: string;
}

/** Rows of `FIGURES` that are marked as key figures, in their order. */
export function keyFigures(result: RunResult): readonly KeyFigure[] {
  return FIGURES.flatMap((figure) => {
    if (figure.key === undefined) return [];
    const value = figure.of(result);
    if (figure.key === 'measured' && Number.isNaN(value)) return [];
    const hint = figure.parts === undefined ? '' : partOf(...figure.parts(result));
    return [{ figure, value, text: figureText(value, figure.unit), hint }];
  });
}
