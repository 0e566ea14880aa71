/** What happens to a device or a gateway by itself, by a fault or by command, in words. */
import { SECOND_US } from '../../sim/base/units.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import type { StoryRow } from './device-rows.ts';

/** Undefined: the row is of something else. */
export function happeningOf(row: StoryRow): string | undefined {
  switch (row.kind) {
    case 'deviceRemoved':
      return 'it was taken out of the network';
    case 'deviceDies':
      return 'its battery is empty: it neither sends nor listens any more';
    case 'deviceReboots':
      return 'it gets the command to reboot';
    case 'devicePower':
      return row.on ? 'its power returns' : 'its power is cut';
    case 'deviceLoses':
      return `it loses ${row.lossPpm / 1e4} % of its frames from now on, beside its type’s loss`;
    case 'deviceClockSteps':
      return `its calendar jumps by ${row.byUs / SECOND_US} s`;
    case 'deviceSwitchesClass':
      return `it is of class ${row.to} from now on`;
    case 'deviceFault':
      return faultOf('its', row.fault, row.on, row.centiDb);
    case 'settingsTaken':
      return 'it takes new settings from a downlink';
    default:
      return undefined;
  }
}

export function gatewayHappening(row: TraceRow): string | undefined {
  switch (row.kind) {
    case 'gatewayStarts':
      return row.atUs === 0 ? undefined : `gateway ${row.gateway} goes into service`;
    case 'gatewayRemoved':
      return `gateway ${row.gateway} goes out of service`;
    case 'gatewayFault':
      return faultOf(`gateway ${row.gateway}:`, row.fault, row.on, row.centiDb);
    default:
      return undefined;
  }
}

function faultOf(whose: string, fault: string, on: boolean, centiDb: number | undefined): string {
  const by = on && centiDb !== undefined ? ` of ${centiDb / 100} dB` : '';
  if (fault === 'attenuation' || fault === 'noise' || fault === 'delay') {
    return `${whose} ${fault}${by} ${on ? 'begins' : 'ends'}`;
  }
  return `${whose} ${fault} ${on ? 'fails' : 'works again'}`;
}
