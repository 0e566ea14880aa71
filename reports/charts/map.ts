/**
 * Map of gateways and devices, coloured by what became of them: one path per colour, which for
 * thousands of points is twenty times smaller than a circle for each.
 */
import { NEVER_SENT, type RunResult } from '../../core/result/result.ts';
import { type Content, html, type Markup } from '../markup/markup.ts';
import { counted, meters } from '../text/format.ts';

export interface PointClass {
  /** Name of its colour and form in the style sheet. */
  readonly name: string;
  readonly label: string;
}

/** What the points of a map show by their colour and form. */
export interface Colouring {
  /** In the words of `coloured by …`. */
  readonly by: string;
  /** In the order of drawing: the last are on top. */
  readonly classes: readonly PointClass[];
  /** `d` is a place in the columns of the map. */
  readonly classOf: (map: DeviceMap, d: number) => PointClass;
}

type DeviceMap = RunResult['devices']['map'];

interface DeliveryClass extends PointClass {
  /** Lowest 1/1000 that belongs to it, or `NEVER_SENT`. */
  readonly fromPermille: number;
}

/** How much of its messages a device delivered, in classes. */
const DELIVERY_CLASSES: readonly DeliveryClass[] = [
  { name: 'never', label: 'never sent', fromPermille: NEVER_SENT },
  { name: 'd4', label: 'all delivered', fromPermille: 1000 },
  { name: 'd3', label: '95 % or more', fromPermille: 950 },
  { name: 'd2', label: '80 to 95 %', fromPermille: 800 },
  { name: 'd1', label: '50 to 80 %', fromPermille: 500 },
  { name: 'd0', label: 'under 50 %', fromPermille: 0 },
];

/** The class of one device; `deliveredPermille` is 0…1000, or `NEVER_SENT`. */
export function deliveryClass(deliveredPermille: number): PointClass {
  const [never, ...sent] = DELIVERY_CLASSES;
  if (deliveredPermille === NEVER_SENT) return never!;
  return sent.find(({ fromPermille }) => deliveredPermille >= fromPermille)!;
}

export const BY_DELIVERY: Colouring = {
  by: 'the share of messages delivered',
  classes: DELIVERY_CLASSES,
  classOf: ({ deliveredPermille }, d) => deliveryClass(deliveredPermille[d]!),
};

const NOT_IN_CAMPAIGN = { name: 'outside', label: 'in no campaign' };
const UPDATED = { name: 'updated', label: 'runs it, confirmed' };
const UNHEARD = { name: 'unheard', label: 'runs it, not confirmed' };
const IN_PROGRESS = { name: 'open', label: 'in progress' };
const FAILED = { name: 'failed', label: 'failed' };
/** Indexed by the numbers of `devices.map.updated`. */
const FATES = [NOT_IN_CAMPAIGN, UPDATED, IN_PROGRESS, FAILED, UNHEARD];

/** Failed devices are crosses, so that colour is not needed to find them. */
export const BY_FATE: Colouring = {
  by: 'their fate in the campaigns',
  classes: [NOT_IN_CAMPAIGN, UPDATED, UNHEARD, IN_PROGRESS, FAILED],
  classOf: ({ updated }, d) => FATES[updated[d]!] ?? NOT_IN_CAMPAIGN,
};

/** The drawing with its alternative text; north is up, and a metre is equally long both ways. */
export function deviceMap(result: RunResult, colouring: Colouring): Markup {
  const { map } = result.devices;
  const place = placement(result);
  const size = map.xMeters.length > 1_500 ? 'dense' : 'sparse';
  const alternative =
    `Map, ${meters(place.widthMeters)} wide and ${meters(place.heightMeters)} high: ` +
    `${counted(result.gateways.length, 'gateway')} and ` +
    `${counted(map.xMeters.length, 'device')}, coloured by ${colouring.by}.`;
  return html`<svg class="map ${size}" viewBox="0 0 ${WIDTH} ${place.height}" role="img"
 aria-label="${alternative}">${colouring.classes.map((one) => points(map, place, colouring, one))}
${named(map, place)}
${result.gateways.map((gateway) => gatewaySign(gateway, place, result.gateways.length))}
${scaleBar(place)}</svg>`;
}

/** A line of no length with round ends is a dot. */
const DOT = 'h0';
const CROSS = 'm-4,-4l8,8m0,-8l-8,8';

/** Devices of one class as one path. */
function points(
  map: DeviceMap,
  place: Placement,
  { classOf }: Colouring,
  one: PointClass,
): Content {
  const { xMeters, yMeters } = map;
  const sign = one === FAILED ? CROSS : DOT;
  let path = '';
  for (let d = 0; d < xMeters.length; d++) {
    if (classOf(map, d) === one) path += `M${place.x(xMeters[d]!)},${place.y(yMeters[d]!)}${sign}`;
  }
  return path === '' ? '' : html`<path class="${one.name}" d="${path}"/>`;
}

/** Most devices whose names are written beside them, and shown where they are pointed at. */
const LABELS_MAX = 20;
const TITLES_MAX = 1_500;

/** Names that a file gives: beside few devices, and at the pointer for more. */
function named({ names = [], xMeters, yMeters }: DeviceMap, place: Placement): Content {
  if (names.length === 0 || names.length > TITLES_MAX) return '';
  const signs = names.map((name, d) => {
    const [x, y] = [place.x(xMeters[d]!), place.y(yMeters[d]!)];
    const title = html`<path d="M${x},${y}${DOT}"><title>${name}</title></path>`;
    if (names.length > LABELS_MAX) return title;
    const end = x > WIDTH * 0.7;
    return html`${title}<text x="${end ? x - 7 : x + 7}" y="${y + 4}"
 text-anchor="${end ? 'end' : 'start'}">${name}</text>`;
  });
  return html`<g class="names">${signs}</g>`;
}

/** A triangle on its place, with its name while the map has room for names. */
function gatewaySign(gateway: RunResult['gateways'][number], place: Placement, of: number): Markup {
  const x = place.x(gateway.xMeters);
  const y = place.y(gateway.yMeters);
  const size = of > 60 ? 5 : 9;
  const atRight = x > WIDTH * 0.7;
  const name = html`<text x="${atRight ? x - 11 : x + 11}" y="${y + 4}"
 text-anchor="${atRight ? 'end' : 'start'}">${gateway.name}</text>`;
  const triangle = `M${x},${tenth(y - size)}l${size - 1},${1.5 * size}h${2 - 2 * size}z`;
  return html`<g class="gateway"><title>${gateway.name}</title>
<path d="${triangle}"/>${of <= 12 ? name : ''}</g>`;
}

function scaleBar(place: Placement): Markup {
  const length = roundBelow(place.widthMeters / 4);
  const y = place.height - 12;
  return html`<g class="scale"><path d="M12,${y - 5}v5h${tenth(length * place.perMeter)}v-5"/>
<text x="18" y="${y - 6}">${meters(length)}</text></g>`;
}

const WIDTH = 600;
const MARGIN = 24;
/** Room below for the scale bar. */
const FOOT = 30;

interface Placement {
  readonly widthMeters: number;
  readonly heightMeters: number;
  /** Units of the drawing in a metre, the same both ways. */
  readonly perMeter: number;
  readonly height: number;
  readonly x: (meters: number) => number;
  readonly y: (meters: number) => number;
}

/** Fits everything into the drawing's width, but makes it no higher than wide. */
function placement({ devices, gateways }: RunResult): Placement {
  const xs = [...devices.map.xMeters, ...gateways.map(({ xMeters }) => xMeters)];
  const ys = [...devices.map.yMeters, ...gateways.map(({ yMeters }) => yMeters)];
  const [left, right] = range(xs);
  const [bottom, top] = range(ys);
  const widthMeters = Math.max(right - left, 100);
  const heightMeters = Math.max(top - bottom, 100);
  const inside = WIDTH - 2 * MARGIN;
  const perMeter = Math.min(inside / widthMeters, inside / heightMeters);
  const plotHeight = heightMeters * perMeter + 2 * MARGIN;
  const centre = (left + right) / 2;
  const middle = (bottom + top) / 2;
  return {
    widthMeters,
    heightMeters,
    perMeter,
    height: Math.round(plotHeight + FOOT),
    x: (at) => tenth(WIDTH / 2 + (at - centre) * perMeter),
    y: (at) => tenth(plotHeight / 2 - (at - middle) * perMeter),
  };
}

/** Lowest and highest; 0 and 0 of nothing. */
function range(values: readonly number[]): readonly [number, number] {
  let lowest = values[0] ?? 0;
  let highest = lowest;
  for (const value of values) {
    lowest = Math.min(lowest, value);
    highest = Math.max(highest, value);
  }
  return [lowest, highest];
}

/** The greatest of 1, 2, 5, 10, 20, 50 … that is not above `limit`; `limit` is at least 1. */
function roundBelow(limit: number): number {
  let greatest = 1;
  for (let power = 1; power <= limit; power *= 10) {
    for (const factor of [1, 2, 5]) {
      if (power * factor <= limit) greatest = power * factor;
    }
  }
  return greatest;
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
