/** A pointer on a chart: moving puts the cursor, dragging selects a span of time. */
import { useRef, useState } from 'preact/hooks';
import { select } from './store.ts';
import { instantAt, type TimeAxis } from './time-axis.ts';

type Span = readonly [from: number, until: number];

export interface Brush {
  /** While it is dragged; null: it is not. */
  readonly span: Span | null;
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerUp: (event: PointerEvent) => void;
    readonly onPointerCancel: () => void;
    readonly onDblClick: () => void;
  };
}

/** Pixels from which a movement is a drag. */
const DRAG_PIXELS = 4;

/** `left`: where the plot begins in its element, CSS pixels. */
export function useBrush(axis: TimeAxis, left: number): Brush {
  const begin = useRef<number | null>(null);
  const [span, setSpan] = useState<Span | null>(null);
  const placeIn = (event: PointerEvent): number => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return event.clientX - box.left - left;
  };
  const spanTo = (place: number): Span | null => {
    const from = begin.current;
    if (from === null || Math.abs(place - from) < DRAG_PIXELS) return null;
    const ends = [instantAt(axis, from), instantAt(axis, place)];
    return [Math.min(...ends), Math.max(...ends)];
  };
  return {
    span,
    handlers: {
      onPointerDown: (event) => {
        begin.current = placeIn(event);
        (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      },
      onPointerMove: (event) => {
        const place = placeIn(event);
        select({ cursor: instantAt(axis, place) });
        setSpan(spanTo(place));
      },
      onPointerUp: (event) => {
        const chosen = spanTo(placeIn(event));
        begin.current = null;
        setSpan(null);
        if (chosen !== null) select({ span: chosen, zoomed: false });
      },
      onPointerCancel: () => {
        begin.current = null;
        setSpan(null);
      },
      onDblClick: () => select({ span: null, zoomed: false }),
    },
  };
}
