/** DevStatusReq, now and then, and what devices answer (LoRaWAN 1.0.4 §5.5). */
import { DevStatusAns, DevStatusReq } from '../../lorawan/mac-commands.ts';
import type { ServerSide } from '../server-side.ts';
import type { UplinkCommand } from './handler.ts';

/** Asks a device for its status when that is due. */
export function wishDevStatus(
  { settings, registrations, requests }: ServerSide,
  row: number,
  nowUs: number,
): void {
  const { devStatusEveryUs } = settings;
  const { devStatusDueAtUs } = registrations.column;
  if (devStatusEveryUs === undefined || nowUs < devStatusDueAtUs[row]) return;
  devStatusDueAtUs[row] = nowUs + devStatusEveryUs;
  requests.askInstead(row, DevStatusReq.encode({}));
}

/** Keeps battery (0 external, 1…254, 255 unknown) and margin, dB. */
export function takeDevStatusAns(
  { registrations }: ServerSide,
  row: number,
  { bytes, at }: UplinkCommand,
): void {
  const r = registrations.column;
  r.statusAnswers[row]++;
  r.battery[row] = DevStatusAns.value.battery(bytes, at);
  r.statusMarginDb[row] = DevStatusAns.value.margin(bytes, at);
}
