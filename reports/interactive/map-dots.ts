/**
 * Dots of a map, pixel by pixel: a path of ten thousand arcs takes a browser without a graphics
 * processor several times as long. A pixel is one number of 32 bits, as a little-endian machine
 * has red, green, blue and alpha; no browser runs on another one.
 */

/** Red, green and blue, 0…255. */
export type Rgb = readonly [red: number, green: number, blue: number];

export const rgbOf = (hex: string): Rgb => {
  const value = Number.parseInt(hex.replace('#', ''), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
};

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Row by row. */
  readonly data: Uint32Array;
}

/** A dot of one colour: the pixels around its middle that it covers. */
export interface Dot {
  readonly reach: number;
  readonly x: Int8Array;
  readonly y: Int8Array;
  /** Where nothing is below; its highest byte is how much of the pixel is covered. */
  readonly pixels: Uint32Array;
}

/** `radius` in pixels of the canvas. */
export function dotOf(radius: number, [red, green, blue]: Rgb): Dot {
  const reach = Math.ceil(radius + 0.5);
  const covered: [x: number, y: number, pixel: number][] = [];
  for (let y = -reach; y <= reach; y++) {
    for (let x = -reach; x <= reach; x++) {
      const inside = radius + 0.5 - Math.sqrt(x * x + y * y);
      const alpha = Math.round(255 * Math.max(0, Math.min(1, inside)));
      if (alpha > 0) covered.push([x, y, (alpha << 24) | (blue << 16) | (green << 8) | red]);
    }
  }
  return {
    reach,
    x: Int8Array.from(covered, ([x]) => x),
    y: Int8Array.from(covered, ([, y]) => y),
    pixels: Uint32Array.from(covered, ([, , pixel]) => pixel),
  };
}

/** Draws a dot over what is there; `atX` and `atY` are its middle. */
export function stamp({ width, height, data }: Pixels, dot: Dot, atX: number, atY: number): void {
  const [left, top] = [Math.round(atX), Math.round(atY)];
  const { reach, x, y, pixels } = dot;
  const isOutside = left < -reach || top < -reach || left >= width + reach || top >= height + reach;
  if (isOutside) return;
  const isWhole = left >= reach && top >= reach && left < width - reach && top < height - reach;
  for (let at = 0; at < pixels.length; at++) {
    const [px, py] = [left + x[at]!, top + y[at]!];
    if (!isWhole && (px < 0 || py < 0 || px >= width || py >= height)) continue;
    const place = py * width + px;
    const [pixel, below] = [pixels[at]!, data[place]!];
    data[place] = below === 0 || pixel >>> 24 === 255 ? pixel : over(pixel, below);
  }
}

/** One pixel on another one, which is not empty: the more it covers, the more it shows. */
function over(pixel: number, below: number): number {
  const share = (pixel >>> 24) / 255;
  const mixed = (shift: number) => {
    const [top, bottom] = [(pixel >>> shift) & 255, (below >>> shift) & 255];
    return Math.round(top * share + bottom * (1 - share)) << shift;
  };
  const alpha = Math.max(pixel >>> 24, below >>> 24);
  return (alpha << 24) | mixed(16) | mixed(8) | mixed(0);
}
