/**
 * Devices × multicast frames of a campaign, with causes by colour. Rows are sorted by what is
 * missing; where there are more devices than lines, a line stands for several of them.
 */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { counted } from '../text/format.ts';
import { framesOf, memberFigure } from './campaign-view.ts';
import { useWidth } from './chart.tsx';
import { Actions } from './chart-frame.tsx';
import { FateLegend } from './fate-legend.tsx';
import { matching, viewOf } from './filters.ts';
import { fateColour } from './fragment-colours.ts';
import { type Rgb, rgbOf } from './map-dots.ts';
import { frameFate, type Run } from './page-data.ts';
import { resolved } from './palette.ts';
import { select, useSelection } from './store.ts';
import { fateLabel } from './story-words.ts';

/** Lines of the drawing at most, CSS pixels. */
const LINES = 360;

interface Matrix {
  /** In the order of the lines. */
  readonly devices: readonly number[];
  readonly texts: readonly string[];
  readonly frames: number;
  /** Devices of a line. */
  readonly perLine: number;
  /** Fate of a cell by line and frame: the most frequent loss of its devices, if it is frequent. */
  readonly cells: readonly (readonly string[])[];
  readonly counts: ReadonlyMap<string, number>;
}

/** A cell of several devices shows a loss from this share of them on. */
const SHOWN_SHARE = 0.5;

function matrixOf(devices: readonly number[], view: ReturnType<typeof viewOf>): Matrix {
  const frames = view?.columns.fragments?.frames ?? 0;
  const members = devices.filter((device) => framesOf(view, device) !== '');
  const lacking = new Map(
    members.map((device) => {
      const missing = memberFigure(view, device, 'fragmentsMissing') ?? 0;
      const lost = [...framesOf(view, device)].filter((each) => each !== 'h').length;
      return [device, [missing, lost] as const];
    }),
  );
  const sorted = [...members].sort((a, b) => {
    const [one, other] = [lacking.get(a)!, lacking.get(b)!];
    return other[0] - one[0] || other[1] - one[1] || a - b;
  });
  const texts = sorted.map((device) => framesOf(view, device));
  const perLine = Math.max(1, Math.ceil(sorted.length / LINES));
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const character of text) {
      const fate = frameFate(character);
      if (fate !== 'none') counts.set(fate, (counts.get(fate) ?? 0) + 1);
    }
  }
  const cells: string[][] = [];
  for (let from = 0; from < texts.length; from += perLine) {
    const some = texts.slice(from, from + perLine);
    cells.push(Array.from({ length: frames }, (_, frame) => cellOf(some, frame)));
  }
  return { devices: sorted, texts, frames, perLine, cells, counts };
}

function cellOf(texts: readonly string[], frame: number): string {
  if (texts.length === 1) return frameFate(texts[0]![frame] ?? '.');
  const counts = new Map<string, number>();
  for (const text of texts) {
    const character = text[frame] ?? '.';
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  let [most, times] = ['h', 0];
  let lost = 0;
  for (const [character, number] of counts) {
    if (character === 'h' || character === '.') continue;
    lost += number;
    if (number > times) [most, times] = [character, number];
  }
  if (lost >= SHOWN_SHARE * texts.length) return frameFate(most);
  return (counts.get('.') ?? 0) > texts.length / 2 ? 'none' : 'heard';
}

export function Fragments({ run }: { readonly run: Run }) {
  const selection = useSelection();
  const { population, outcome, cause, where, span, query, campaign } = selection;
  const view = viewOf(run, selection);
  const [holder, width] = useWidth<HTMLDivElement>();
  const matrix = useMemo(
    () => matrixOf(matching(run, selection), view),
    [run, population, outcome, cause, where, where === '' ? null : span, query, campaign],
  );
  if (view === undefined || view.columns.fragments === null) return null;
  const { devices, frames, perLine, counts } = matrix;
  const line = perLine === 1 ? 'a device' : counted(perLine, 'device');
  const fates = [...counts].sort((a, b) => b[1] - a[1]);
  return (
    <figure class="interactive-chart">
      <figcaption>
        <strong>Fragments of {view.name}</strong>{' '}
        <span class="hint">
          {counted(devices.length, 'device')} × {counted(frames, 'multicast frame')}
        </span>
        <Actions
          data={{ title: `Fragments of ${view.name} ${run.label}` }}
          drawing={() => matrixSvg(matrix, width)}
          rows={() => matrixRows(run, matrix)}
        />
        <p class="hint">
          A line is {line}, those that lack most on top; a column is a frame on the air. A column of
          one colour is a frame that nobody heard, a line of one colour a device out of reach.
          {perLine > 1 && ' A cell has a loss where half of its devices or more missed the frame.'}
        </p>
        <FateLegend fates={fates} />
      </figcaption>
      <div ref={holder}>
        <Cells run={run} matrix={matrix} width={width} />
      </div>
    </figure>
  );
}

/** CSS pixels; where no line shows a loss, one strip says as much. */
function heightOf({ cells }: Matrix): number {
  const isWhole = cells.every((row) => row.every((fate) => fate === 'heard' || fate === 'none'));
  if (isWhole) return 28;
  return Math.max(
    20,
    Math.min(LINES, cells.length * Math.max(1, Math.min(14, LINES / cells.length))),
  );
}

function Cells(props: { readonly run: Run; readonly matrix: Matrix; readonly width: number }) {
  const { run, matrix, width } = props;
  const ref = useRef<HTMLCanvasElement>(null);
  const [said, setSaid] = useState('');
  const height = heightOf(matrix);
  useLayoutEffect(() => paintCells(ref.current!, matrix), [matrix]);
  const at = (event: MouseEvent) => {
    const line = Math.floor((event.offsetY / height) * matrix.cells.length);
    const frame = Math.floor((event.offsetX / width) * matrix.frames);
    const device = matrix.devices[line * matrix.perLine];
    return { line, frame, device, fate: matrix.cells[line]?.[frame] };
  };
  return (
    <>
      <canvas
        ref={ref}
        class="cells"
        role="img"
        aria-label={
          `Fates of ${counted(matrix.frames, 'frame')} at ` +
          `${counted(matrix.devices.length, 'device')}; the story of a device has its own frames.`
        }
        style={{ width: `${width}px`, height: `${height}px` }}
        onMouseMove={(event) => {
          const { frame, device, fate } = at(event);
          const name = device === undefined ? '' : run.columns!.devices.names[device];
          const more = matrix.perLine > 1 ? ` and ${matrix.perLine - 1} below` : '';
          setSaid(
            fate === undefined ? '' : `Frame ${frame + 1}, ${name}${more}: ${fateLabel(fate)}`,
          );
        }}
        onClick={(event) => {
          const { device } = at(event);
          if (device !== undefined) select({ device: run.columns!.devices.devEuis[device]! });
        }}
      />
      <p class="hint readout">{said === '' ? ' ' : said}</p>
    </>
  );
}

/** A pixel for each cell; the style sheet makes them as large as the drawing is. */
function paintCells(canvas: HTMLCanvasElement, { cells, frames }: Matrix): void {
  canvas.width = Math.max(1, frames);
  canvas.height = Math.max(1, cells.length);
  const context = canvas.getContext('2d')!;
  const image = context.createImageData(canvas.width, canvas.height);
  const colours = new Map<string, Rgb>();
  let at = 0;
  for (const row of cells) {
    for (const fate of row) {
      let rgb = colours.get(fate);
      if (rgb === undefined) colours.set(fate, (rgb = rgbOf(resolved(fateColour(fate)))));
      image.data.set([...rgb, 255], at);
      at += 4;
    }
  }
  context.putImageData(image, 0, 0);
}

/** Cells of one fate that are beside each other are one rectangle. */
function matrixSvg(matrix: Matrix, width: number): string {
  const height = heightOf(matrix);
  const [wide, high] = [width / matrix.frames, height / matrix.cells.length];
  const parts: string[] = [];
  for (const [line, row] of matrix.cells.entries()) {
    let from = 0;
    for (let frame = 1; frame <= row.length; frame++) {
      if (row[frame] === row[from]) continue;
      parts.push(
        `<rect x="${(from * wide).toFixed(2)}" y="${(line * high).toFixed(2)}" ` +
          `width="${((frame - from) * wide).toFixed(2)}" height="${high.toFixed(2)}" ` +
          `fill="${fateColour(row[from]!)}"/>`,
      );
      from = frame;
    }
  }
  return `<svg width="${width}" height="${height}">${parts.join('')}</svg>`;
}

function matrixRows(run: Run, { devices, texts, frames }: Matrix): string[][] {
  const { names, devEuis } = run.columns!.devices;
  const head = Array.from({ length: frames }, (_, frame) => `frame ${frame + 1}`);
  const rows = devices.map((device, at) => {
    const fates = head.map((_, frame) => frameFate(texts[at]![frame] ?? '.'));
    return [names[device]!, devEuis[device]!, ...fates];
  });
  return [['device', 'DevEUI', ...head], ...rows];
}
