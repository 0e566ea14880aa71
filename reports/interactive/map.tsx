/** The map of a run: colours by a field, zoom, pan, hover, and a click that opens a device. */
import KDBush from 'kdbush';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { count } from '../text/format.ts';
import { useWidth } from './chart.tsx';
import { Actions, Key } from './chart-frame.tsx';
import { type Coloured, coloured, colouringFor, colouringsOf } from './colourings.ts';
import { FIELDS } from './fields.ts';
import { matching, viewOf } from './filters.ts';
import { drawMap, mapSvg, type Picture } from './map-drawing.ts';
import { type MapView, showView, useMapView, wholeView, zoomed } from './map-view.ts';
import type { Run } from './page-data.ts';
import { select, useSelection } from './store.ts';

export function DeviceMap({ run }: { readonly run: Run }) {
  const selection = useSelection();
  const [holder, width] = useWidth<HTMLDivElement>();
  const height = Math.round(Math.min(560, Math.max(300, width * 0.62)));
  const chosenView = useMapView();
  const whole = useMemo(() => wholeView(run, width, height), [run, width, height]);
  const view = chosenView ?? whole;
  const { colour, campaign, span, population, outcome, cause, where, query, device } = selection;
  const colours = useMemo(
    () => coloured(run, selection),
    [run, colour, campaign, colour === 'loss' ? span : null],
  );
  const isShown = useMemo(() => {
    const shown = new Uint8Array(run.columns!.devices.devEuis.length);
    for (const place of matching(run, selection)) shown[place] = 1;
    return shown;
  }, [run, campaign, population, outcome, cause, where, where === '' ? null : span, query]);
  const chosen = run.placeOf.get(device) ?? -1;
  const picture = { run, view, coloured: colours, isShown, chosen, width, height };
  return (
    <figure class="interactive-chart">
      <figcaption>
        <strong>Map</strong> <Colour run={run} />
        <Actions
          data={{ title: `Map ${run.label}` }}
          drawing={() => mapSvg(picture)}
          rows={() => mapRows(run)}
        />
        <p class="hint">
          Each dot is a device, each triangle a gateway. Drag to move, scroll or press + and − to
          zoom, choose a dot to read its story.
        </p>
      </figcaption>
      <div ref={holder} class="map-holder">
        <Canvas picture={picture} />
        <div class="map-buttons">
          <button
            type="button"
            aria-label="Nearer"
            onClick={() => showView(zoomed(view, 0.6, 0, 0))}
          >
            +
          </button>
          <button
            type="button"
            aria-label="Farther"
            onClick={() => showView(zoomed(view, 1.6, 0, 0))}
          >
            −
          </button>
          <button type="button" aria-label="Show all" onClick={() => showView(null)}>
            ⤢
          </button>
        </div>
      </div>
      <Legend picture={picture} />
    </figure>
  );
}

function Colour({ run }: { readonly run: Run }) {
  const selection = useSelection();
  const { key } = colouringFor(run, selection);
  return (
    <label>
      coloured by{' '}
      <select
        value={key}
        onChange={(event) => select({ colour: (event.currentTarget as HTMLSelectElement).value })}
      >
        {colouringsOf(run).map((one) => (
          <option key={one.key} value={one.key}>
            {one.label}
          </option>
        ))}
      </select>
    </label>
  );
}

function Legend({ picture: { coloured: colours, isShown } }: { readonly picture: Picture }) {
  const counts = useMemo(() => countsOf(colours, isShown), [colours, isShown]);
  return (
    <ul class="legend">
      {colours.classes.map(({ label, colour }, at) =>
        counts[at] === 0 ? null : (
          <li key={label}>
            <Key colour={colour} />
            {label} <b>{count(counts[at]!)}</b>
          </li>
        ),
      )}
    </ul>
  );
}

/** Devices that are shown, by class. */
function countsOf({ classes, classOf }: Coloured, isShown: Uint8Array): number[] {
  const counts = new Array<number>(classes.length).fill(0);
  for (let device = 0; device < classOf.length; device++) {
    if (isShown[device] === 1) counts[classOf[device]!]!++;
  }
  return counts;
}

function mapRows(run: Run): (string | number | null)[][] {
  const { names, devEuis, xMeters, yMeters, latitude, longitude } = run.columns!.devices;
  const rows = names.map((name, at) => {
    const onEarth = latitude === undefined ? [] : [latitude[at]!, longitude![at]!];
    return [name, devEuis[at]!, xMeters[at]!, yMeters[at]!, ...onEarth];
  });
  const heads = latitude === undefined ? [] : ['latitude', 'longitude'];
  return [['device', 'DevEUI', 'x, m', 'y, m', ...heads], ...rows];
}

// ── canvas ───────────────────────────────────────────────────────────────────────────────────────

/** CSS pixels around a pointer in which a device is found. */
const REACH = 10;

function Canvas({ picture }: { readonly picture: Picture }) {
  const ref = useRef<HTMLCanvasElement>(null);
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const { run, width, height } = picture;
  const index = useMemo(() => indexOf(run), [run]);
  const latest = useRef(picture);
  latest.current = picture;
  useLayoutEffect(() => paint(ref.current!, picture));
  usePaintOnThemeChange(ref, latest);
  useWheel(ref, latest);
  const drag = useDrag(latest, (x, y, isClick) => {
    const device = nearest(index, latest.current, x, y);
    if (isClick) select({ device: device < 0 ? '' : run.columns!.devices.devEuis[device]! });
    else setHovered(device < 0 ? null : { device, x, y });
  });
  return (
    <>
      <canvas
        ref={ref}
        role="img"
        tabIndex={0}
        aria-label={
          `Map of ${count(run.columns!.devices.devEuis.length)} devices and ` +
          `${count(run.gateways.length)} gateways. The table below has the same devices.`
        }
        style={{ width: `${width}px`, height: `${height}px` }}
        onKeyDown={(event) => moveByKey(event, latest.current.view)}
        onPointerLeave={() => setHovered(null)}
        {...drag}
      />
      {hovered !== null && <Tip run={run} hovered={hovered} />}
    </>
  );
}

function paint(canvas: HTMLCanvasElement, picture: Picture): void {
  const { width, height } = picture;
  const ratio = devicePixelRatio;
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  const context = canvas.getContext('2d')!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  drawMap(context, picture);
}

type Ref<Of> = { readonly current: Of };

function usePaintOnThemeChange(ref: Ref<HTMLCanvasElement | null>, latest: Ref<Picture>): void {
  useEffect(() => {
    const theme = matchMedia('(prefers-color-scheme: dark)');
    const again = () => ref.current !== null && paint(ref.current, latest.current);
    theme.addEventListener('change', again);
    return () => theme.removeEventListener('change', again);
  }, []);
}

/** Zooms around the pointer; the page does not scroll meanwhile. */
function useWheel(ref: Ref<HTMLCanvasElement | null>, latest: Ref<Picture>): void {
  useEffect(() => {
    const canvas = ref.current!;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const { view, width, height } = latest.current;
      const [x, y] = [event.offsetX - width / 2, event.offsetY - height / 2];
      showView(zoomed(view, event.deltaY > 0 ? 1.15 : 1 / 1.15, x, y));
    };
    canvas.addEventListener('wheel', onWheel, { passive: false });
    return () => canvas.removeEventListener('wheel', onWheel);
  }, []);
}

/** `found` is called where the pointer is: while it hovers, and when it was a click. */
function useDrag(latest: Ref<Picture>, found: (x: number, y: number, isClick: boolean) => void) {
  const begin = useRef<{ x: number; y: number; view: MapView; moved: boolean } | null>(null);
  return {
    onPointerDown: (event: PointerEvent) => {
      const { offsetX: x, offsetY: y } = event;
      begin.current = { x, y, view: latest.current.view, moved: false };
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => {
      const { offsetX: x, offsetY: y } = event;
      const from = begin.current;
      if (from === null) return found(x, y, false);
      from.moved ||= Math.abs(x - from.x) + Math.abs(y - from.y) > 4;
      if (!from.moved) return;
      const { view } = from;
      const { metersPerPixel } = view;
      const [dx, dy] = [(x - from.x) * metersPerPixel, (y - from.y) * metersPerPixel];
      showView({ x: view.x - dx, y: view.y + dy, metersPerPixel });
    },
    onPointerUp: (event: PointerEvent) => {
      const wasMoved = begin.current?.moved ?? true;
      begin.current = null;
      if (!wasMoved) found(event.offsetX, event.offsetY, true);
    },
    onPointerCancel: () => {
      begin.current = null;
    },
  };
}

function moveByKey(event: KeyboardEvent, view: MapView): void {
  const step = 60 * view.metersPerPixel;
  const moves: Readonly<Record<string, MapView | null>> = {
    ArrowLeft: { ...view, x: view.x - step },
    ArrowRight: { ...view, x: view.x + step },
    ArrowUp: { ...view, y: view.y + step },
    ArrowDown: { ...view, y: view.y - step },
    '+': zoomed(view, 0.7, 0, 0),
    '=': zoomed(view, 0.7, 0, 0),
    '-': zoomed(view, 1.4, 0, 0),
    '0': null,
  };
  if (!(event.key in moves)) return;
  event.preventDefault();
  showView(moves[event.key]!);
}

// ── what is under the pointer ────────────────────────────────────────────────────────────────────

interface Hovered {
  readonly device: number;
  readonly x: number;
  readonly y: number;
}

function indexOf(run: Run): KDBush {
  const { xMeters, yMeters } = run.columns!.devices;
  const index = new KDBush(xMeters.length);
  for (const [device, x] of xMeters.entries()) index.add(x, yMeters[device]!);
  return index.finish();
}

/** The device of those that are shown that is nearest to a point; −1: none is near. */
function nearest(index: KDBush, picture: Picture, atX: number, atY: number): number {
  const { view, width, height, run, isShown } = picture;
  const x = view.x + (atX - width / 2) * view.metersPerPixel;
  const y = view.y - (atY - height / 2) * view.metersPerPixel;
  const { xMeters, yMeters } = run.columns!.devices;
  let [found, least] = [-1, Number.POSITIVE_INFINITY];
  for (const device of index.within(x, y, REACH * view.metersPerPixel)) {
    const [dx, dy] = [xMeters[device]! - x, yMeters[device]! - y];
    const distance = dx * dx + dy * dy;
    if (isShown[device] === 0 || distance > least) continue;
    if (distance === least && device > found) continue;
    [found, least] = [device, distance];
  }
  return found;
}

const TIP_FIELDS = ['population', 'outcome', 'cause', 'dataRate', 'margin', 'loss'];

function Tip({ run, hovered: { device, x, y } }: { readonly run: Run; readonly hovered: Hovered }) {
  const selection = useSelection();
  const asked = { run, device, view: viewOf(run, selection), span: selection.span };
  const fields = FIELDS.filter(
    ({ key, isThere }) => TIP_FIELDS.includes(key) && (isThere === undefined || isThere(run)),
  );
  return (
    <div class="tip" style={{ left: `${x + 14}px`, top: `${y + 10}px` }}>
      <strong>{run.columns!.devices.names[device]}</strong>
      {fields.map(({ key, label, of, text }) => (
        <div key={key}>
          {label}: {text(of(asked))}
        </div>
      ))}
    </div>
  );
}
