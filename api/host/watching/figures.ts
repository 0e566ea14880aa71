/** Metrics of a serving process for Prometheus: each part of the host reports its own. */
import { BUCKETS_S, type RequestTally } from './request-tally.ts';

export interface Figure {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly values: readonly FigureValue[];
}

export interface FigureValue {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  /** Of a part of a histogram. */
  readonly metricName?: string;
}

/** Asked when somebody looks; changes nothing. */
export type Figures = () => readonly Figure[];

/** A figure without labels. */
export const single = (
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  value: number,
): Figure => ({ name, type, help, values: [{ labels: {}, value }] });

const SECONDS = 'fleetwave_request_duration_seconds';

export const requestFigures =
  (tally: RequestTally): Figures =>
  () => [
    {
      name: 'fleetwave_requests_total',
      type: 'counter',
      help: 'Requests that were answered.',
      values: Array.from(tally.all, ({ method, route, status, count: value }) => {
        return { labels: { method, route, status }, value };
      }),
    },
    {
      name: SECONDS,
      type: 'histogram',
      help: 'How long requests took until they were answered.',
      values: Array.from(tally.all).flatMap(({ method, route, status, ...of }) => {
        const labels = { method, route, status };
        const part = (name: string, value: number, more = {}): FigureValue => {
          return { labels: { ...labels, ...more }, value, metricName: `${SECONDS}_${name}` };
        };
        return [
          ...BUCKETS_S.map((le, i) => part('bucket', of.within[i]!, { le })),
          part('bucket', of.count, { le: '+Inf' }),
          part('sum', of.seconds),
          part('count', of.count),
        ];
      }),
    },
  ];
