/** Scenarios of the library to begin with, by a short name. */

export interface Template {
  /** Below scenarios/library. */
  readonly path: string;
  readonly is: string;
}

/** In the order in which they are offered: what most people begin with comes first. */
export const TEMPLATES: Readonly<Record<string, Template>> = {
  quickstart: {
    path: 'quickstart.yaml',
    is: 'a town of 1 000 devices for a day, and a firmware update',
  },
  fleet: {
    path: 'fleet.yaml',
    is: '120 devices to point a client at (fleetwave serve)',
  },
  campaign: {
    path: 'campaigns/version-2.yaml',
    is: 'an update over lossy links, to devices of two versions',
  },
  'class-b': {
    path: 'campaigns/class-b.yaml',
    is: 'an update in ping slots, of devices of class A and B',
  },
  redundancy: {
    path: 'campaigns/too-little-redundancy.yaml',
    is: 'what too little redundancy costs an update',
  },
  managed: {
    path: 'campaigns/managed-month.yaml',
    is: 'a managed campaign that updates 1 000 devices in a month',
  },
  us915: {
    path: 'regions/us915.yaml',
    is: 'sub-band 2 of US915, and devices that have to find it',
  },
  radio: {
    path: 'validation/capture.yaml',
    is: 'a study of the radio: collisions and capture at SF12',
  },
  gateways: {
    path: 'flapping-gateway.yaml',
    is: 'a gateway that fails, and the alerts of it',
  },
  downlinks: {
    path: 'reliable-downlinks.yaml',
    is: 'downlinks that are sent until the expected uplink comes',
  },
  settings: {
    path: 'set-over-the-air.yaml',
    is: 'configurations that are rolled out over the air',
  },
};

/** A line each. */
export function listTemplates(heading: (text: string) => string): string {
  const rows = Object.entries(TEMPLATES);
  return rows.map(([name, { is }]) => `  ${heading(name.padEnd(12))}${is}\n`).join('');
}
