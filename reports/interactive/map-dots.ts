/**
 * Dots of a map, pixel by pixel: a path of ten thousand arcs takes a browser without a graphics
 * processor a tenth of a second, this takes some milliseconds.
 */

/** Red, green and blue, 0…255. */
export type Rgb = readonly [red: number, green: number, blue: number];

export const rgbOf = (hex: string): Rgb => {
  const value = Number.parseInt(hex.replace('#', ''), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
};

/** How much of each pixel around its middle a dot covers, 0…1, row by row. */
export interface Mask {
  readonly cover: Float32Array;
  /** Pixels of a side, odd. */
  readonly side: number;
}

/** `radius` in pixels of the canvas. */
export function maskOf(radius: number): Mask {
  const reach = Math.ceil(radius + 0.5);
  const side = 2 * reach + 1;
  const cover = new Float32Array(side * side);
  for (let y = -reach; y <= reach; y++) {
    for (let x = -reach; x <= reach; x++) {
      const inside = radius + 0.5 - Math.sqrt(x * x + y * y);
      cover[(y + reach) * side + x + reach] = Math.max(0, Math.min(1, inside));
    }
  }
  return { cover, side };
}

/** Draws a dot over what is there. `atX` and `atY` are its middle, pixels of the image. */
export function stamp(image: ImageData, mask: Mask, atX: number, atY: number, rgb: Rgb): void {
  const { data, width, height } = image;
  const { cover, side } = mask;
  const left = Math.round(atX) - (side >> 1);
  const top = Math.round(atY) - (side >> 1);
  for (let y = Math.max(0, -top); y < side && top + y < height; y++) {
    for (let x = Math.max(0, -left); x < side && left + x < width; x++) {
      const share = cover[y * side + x]!;
      if (share === 0) continue;
      const at = 4 * ((top + y) * width + left + x);
      const below = (1 - share) * (data[at + 3]! / 255);
      const sum = share + below;
      for (let part = 0; part < 3; part++) {
        data[at + part] = (rgb[part]! * share + data[at + part]! * below) / sum;
      }
      data[at + 3] = 255 * sum;
    }
  }
}
