/** `devices.csv`: what became of each device in each campaign, a row at a time (RFC 4180). */
import type { CampaignDevice } from '../../../core/result/outcome.ts';
import { type Cell, csvLine } from './csv.ts';
import { LinesFile } from './trace-file.ts';

/** In the order of the columns; null and undefined leave a cell empty. */
const COLUMNS: Readonly<Record<string, (device: CampaignDevice) => Cell>> = {
  campaign: ({ campaign }) => campaign,
  subscriber: ({ subscriber }) => subscriber,
  name: ({ name }) => name,
  devEui: ({ devEui }) => devEui,
  population: ({ population }) => population,
  runsIt: ({ runs }) => runs,
  fate: ({ fate }) => fate,
  cause: ({ cause }) => cause,
  diagnosis: ({ diagnosis }) => diagnosis,
  step: ({ step }) => step,
  dataRate: ({ dataRate }) => dataRate,
  gateways: ({ gateways }) => gateways,
  fragmentsHeld: ({ fragmentsHeld }) => fragmentsHeld,
  fragmentsNeeded: ({ fragmentsNeeded }) => fragmentsNeeded,
  fragmentsMissing: ({ fragmentsMissing }) => fragmentsMissing,
  versionBefore: ({ versionBefore }) => versionBefore,
  version: ({ version }) => version,
  joules: ({ joules }) => joules,
};

const HEAD = Object.keys(COLUMNS).join(',');
const CELLS = Object.values(COLUMNS);

/** Writes over what is there; each device is looked at when its row is written. */
export function writeDevices(path: string, devices: Iterable<CampaignDevice>): void {
  const file = new LinesFile(path);
  file.line(HEAD);
  for (const device of devices) file.line(csvLine(CELLS.map((cell) => cell(device))));
  file.close();
}
