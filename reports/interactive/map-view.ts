/** Which part of the plane the maps show: the same in all runs of a page. */
import { useEffect, useState } from 'preact/hooks';
import type { Run } from './page-data.ts';

/** Middle of the view, m, and how many m a CSS pixel is; null: all that there is. */
export interface MapView {
  readonly x: number;
  readonly y: number;
  readonly metersPerPixel: number;
}

type Listener = (view: MapView | null) => void;

let shown: MapView | null = null;
const listeners = new Set<Listener>();

export function showView(view: MapView | null): void {
  shown = view;
  for (const listener of [...listeners]) listener(view);
}

export function useMapView(): MapView | null {
  const [view, setView] = useState(shown);
  useEffect(() => {
    listeners.add(setView);
    return () => {
      listeners.delete(setView);
    };
  }, []);
  return view;
}

/** All devices, gateways and lines of the outline inside, with a margin. */
export function wholeView(run: Run, width: number, height: number): MapView {
  const { xMeters = [], yMeters = [] } = run.columns?.devices ?? run.map ?? {};
  const corners = run.outline.flat();
  const xs = [...run.gateways.map((one) => one.xMeters), ...corners.map(([x]) => x)];
  const ys = [...run.gateways.map((one) => one.yMeters), ...corners.map(([, y]) => y)];
  const [west, east] = endsOf(xMeters, xs);
  const [south, north] = endsOf(yMeters, ys);
  const metersPerPixel = Math.max(
    0.1,
    (1.08 * Math.max(east - west, 1)) / width,
    (1.08 * Math.max(north - south, 1)) / height,
  );
  return { x: (west + east) / 2, y: (south + north) / 2, metersPerPixel };
}

function endsOf(...lists: readonly (readonly number[])[]): readonly [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const list of lists) {
    for (const value of list) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return low > high ? [0, 1] : [low, high];
}

/** Around a point that stays where it is; `factor` below 1 goes nearer. */
export function zoomed(view: MapView, factor: number, atX: number, atY: number): MapView {
  const metersPerPixel = Math.min(1e5, Math.max(0.01, view.metersPerPixel * factor));
  const change = metersPerPixel - view.metersPerPixel;
  return { x: view.x - atX * change, y: view.y + atY * change, metersPerPixel };
}
