/** Draws a map: outline, devices by class, gateways with their names, a scale. */
import { meters } from '../text/format.ts';
import type { Coloured } from './colourings.ts';
import { dotOf, rgbOf, stamp } from './map-dots.ts';
import type { MapView } from './map-view.ts';
import type { Run } from './page-data.ts';
import { resolved } from './palette.ts';

export interface Picture {
  readonly run: Run;
  readonly view: MapView;
  readonly coloured: Coloured;
  /** By place: whether the device matches the filters. */
  readonly isShown: Uint8Array;
  /** Place of the chosen device; −1: none. */
  readonly chosen: number;
  readonly width: number;
  readonly height: number;
}

const toScreen = (
  { view, width, height }: Pick<Picture, 'view' | 'width' | 'height'>,
  x: number,
  y: number,
): readonly [x: number, y: number] => [
  width / 2 + (x - view.x) / view.metersPerPixel,
  height / 2 - (y - view.y) / view.metersPerPixel,
];

/** CSS pixels, by how many devices there are. */
const dotRadius = (devices: number): number =>
  devices > 4_000 ? 2.2 : devices > 800 ? 3 : devices > 100 ? 4.5 : 7;

export function drawMap(context: CanvasRenderingContext2D, picture: Picture): void {
  drawDevices(context, picture);
  drawOutline(context, picture);
  drawChosen(context, picture);
  drawGateways(context, picture);
  drawScale(context, picture);
}

function drawOutline(context: CanvasRenderingContext2D, picture: Picture): void {
  context.strokeStyle = resolved('var(--axis)');
  context.lineWidth = 1;
  for (const lines of picture.run.outline) {
    context.beginPath();
    for (const [at, [x, y]] of lines.entries()) {
      const [left, top] = toScreen(picture, x, y);
      if (at === 0) context.moveTo(left, top);
      else context.lineTo(left, top);
    }
    context.stroke();
  }
}

/** Of the latest size: a new one for each frame would be megabytes of garbage. */
let canvasImage: ImageData | undefined;

function imageOf(context: CanvasRenderingContext2D, width: number, height: number): ImageData {
  if (canvasImage?.width !== width || canvasImage.height !== height) {
    canvasImage = context.createImageData(width, height);
  }
  return canvasImage;
}

/** It takes no notice of what was drawn before. */
function drawDevices(context: CanvasRenderingContext2D, picture: Picture): void {
  const { run, coloured, isShown, width, height, view } = picture;
  const { xMeters, yMeters, devEuis } = run.columns!.devices;
  const { classOf } = coloured;
  const ratio = devicePixelRatio;
  const image = imageOf(context, Math.round(width * ratio), Math.round(height * ratio));
  const data = new Uint32Array(image.data.buffer);
  data.fill(0);
  const pixels = { width: image.width, height: image.height, data };
  const radius = dotRadius(devEuis.length) * ratio;
  const scale = ratio / view.metersPerPixel;
  const [left, top] = [(ratio * width) / 2 - view.x * scale, (ratio * height) / 2 + view.y * scale];
  // The last class is the least interesting: it lies below the others.
  for (let number = coloured.classes.length - 1; number >= 0; number--) {
    const dot = dotOf(radius, rgbOf(resolved(coloured.classes[number]!.colour)));
    for (let device = 0; device < classOf.length; device++) {
      if (classOf[device] !== number || isShown[device] === 0) continue;
      stamp(pixels, dot, left + xMeters[device]! * scale, top - yMeters[device]! * scale);
    }
  }
  context.putImageData(image, 0, 0);
}

function drawChosen(context: CanvasRenderingContext2D, picture: Picture): void {
  const { run, chosen } = picture;
  if (chosen < 0) return;
  const { xMeters, yMeters, devEuis } = run.columns!.devices;
  const [x, y] = toScreen(picture, xMeters[chosen]!, yMeters[chosen]!);
  context.strokeStyle = resolved('var(--ink)');
  context.lineWidth = 2.5;
  context.beginPath();
  context.arc(x, y, dotRadius(devEuis.length) + 5, 0, 2 * Math.PI);
  context.stroke();
}

function drawGateways(context: CanvasRenderingContext2D, picture: Picture): void {
  const { gateways } = picture.run;
  context.font = '600 13px system-ui, sans-serif';
  context.textAlign = 'center';
  const hasNames = gateways.length <= 40;
  for (const { name, xMeters, yMeters } of gateways) {
    const [x, y] = toScreen(picture, xMeters, yMeters);
    context.beginPath();
    context.moveTo(x, y - 8);
    context.lineTo(x + 8, y + 6);
    context.lineTo(x - 8, y + 6);
    context.closePath();
    context.lineWidth = 4;
    context.strokeStyle = resolved('var(--ground)');
    context.stroke();
    context.fillStyle = resolved('var(--ink)');
    context.fill();
    if (!hasNames) continue;
    context.strokeText(name, x, y - 13);
    context.fillText(name, x, y - 13);
  }
}

/** Meters of a round scale that is some 60 to 150 pixels long. */
function scaleMeters({ metersPerPixel }: MapView): number {
  const most = 150 * metersPerPixel;
  let ten = 1;
  while (ten * 10 <= most) ten *= 10;
  while (ten > most) ten /= 10;
  return [5, 2, 1].map((digit) => digit * ten).find((each) => each <= most) ?? ten;
}

function drawScale(context: CanvasRenderingContext2D, { view, height }: Picture): void {
  const length = scaleMeters(view);
  const pixels = length / view.metersPerPixel;
  context.strokeStyle = resolved('var(--ink)');
  context.fillStyle = resolved('var(--ink)');
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(12, height - 18);
  context.lineTo(12, height - 12);
  context.lineTo(12 + pixels, height - 12);
  context.lineTo(12 + pixels, height - 18);
  context.stroke();
  context.textAlign = 'left';
  context.font = '12px system-ui, sans-serif';
  context.fillText(meters(length), 16, height - 18);
}

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);

/** The same as SVG. */
export function mapSvg(picture: Picture): string {
  const { run, coloured, isShown, width, height } = picture;
  const { xMeters, yMeters, devEuis } = run.columns!.devices;
  const radius = dotRadius(devEuis.length);
  const dots = devEuis.flatMap((_, device) => {
    if (isShown[device] === 0) return [];
    const [x, y] = toScreen(picture, xMeters[device]!, yMeters[device]!);
    if (x < 0 || y < 0 || x > width || y > height) return [];
    const { colour } = coloured.classes[coloured.classOf[device]!]!;
    return [`<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius}" fill="${colour}"/>`];
  });
  const gateways = run.gateways.map(({ name, xMeters: gx, yMeters: gy }) => {
    const [x, y] = toScreen(picture, gx, gy).map((each) => each.toFixed(1));
    return (
      `<g transform="translate(${x},${y})" fill="var(--ink)"><path d="M0,-8L8,6L-8,6Z"/>` +
      `<text y="-13" text-anchor="middle">${escaped(name)}</text></g>`
    );
  });
  return (
    `<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<rect width="${width}" height="${height}" fill="var(--ground)"/>` +
    `${dots.join('')}${gateways.join('')}</svg>`
  );
}
