/** Series as lines and areas, level within each slice. */
import { area, curveStepAfter, line } from 'd3-shape';
import type { ChartData } from './chart-data.ts';
import { placeOf, type TimeAxis } from './time-axis.ts';

interface Props {
  readonly data: ChartData;
  readonly axis: TimeAxis;
  readonly y: (value: number) => number;
  readonly height: number;
}

type Level = readonly [x: number, low: number, high: number];

export function SeriesPaths({ data, axis, y, height }: Props) {
  const { series, sliceSeconds, stacked = false } = data;
  const length = Math.max(0, ...series.map(({ values }) => values.length));
  const below = new Float64Array(length + 1);
  return (
    // An inner drawing cuts what is outside of the plot.
    <svg width={axis.width} height={height} aria-hidden="true">
      <g>
        {series.map(({ label, values, colour, dashed = false, area: isArea = false }) => {
          const levels: Level[] = [];
          for (let slice = 0; slice <= length; slice++) {
            // The last slice is drawn to its end.
            const value = values[Math.min(slice, length - 1)] ?? 0;
            const low = stacked ? below[slice]! : 0;
            levels.push([placeOf(axis, slice * sliceSeconds), y(low), y(low + value)]);
            if (stacked) below[slice] = low + value;
          }
          if (stacked || isArea) {
            return <path key={label} d={areaPath(levels)} fill={colour} />;
          }
          return (
            <path
              key={label}
              d={linePath(levels)}
              fill="none"
              stroke={colour}
              stroke-width="2"
              {...(dashed && { 'stroke-dasharray': '5 3' })}
            />
          );
        })}
      </g>
    </svg>
  );
}

const linePath = (levels: Level[]): string =>
  line<Level>()
    .x(([x]) => x)
    .y(([, , high]) => high)
    .digits(1)
    .curve(curveStepAfter)(levels) ?? '';

const areaPath = (levels: Level[]): string =>
  area<Level>()
    .x(([x]) => x)
    .y0(([, low]) => low)
    .y1(([, , high]) => high)
    .digits(1)
    .curve(curveStepAfter)(levels) ?? '';
