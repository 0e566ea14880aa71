/** What a gateway sends a downlink for: whose it is, for the air time by purpose. */
import type { AirPurpose } from '../base/counts.ts';
import { DownlinkPurpose } from '../gateway/downlinks.ts';
import { LONGEST_PHY_PAYLOAD } from '../lorawan/frame.ts';
import { carriedBy } from './downlink-fates.ts';
import type { ServerSide } from './server-side.ts';

/** Octets of a PHYPayload: FCtrl, and the first one behind an FHDR without FOpts. */
const FCTRL_AT = 5;
const BEHIND_FHDR = 8;
const MIC_BYTES = 4;

const bytes = new Uint8Array(LONGEST_PHY_PAYLOAD + 1);

/** Of a downlink that is about to go on the air. */
export function airPurpose(side: ServerSide, downlink: number): AirPurpose {
  const { purpose, mcAddr } = side.downlinks.column;
  switch (purpose[downlink]) {
    case DownlinkPurpose.join:
      return 'join';
    case DownlinkPurpose.beacon:
      return 'beacon';
    case DownlinkPurpose.multicast:
      return `group ${mcAddr[downlink]!}`;
    default:
      return ofData(side, downlink);
  }
}

function ofData(side: ServerSide, downlink: number): AirPurpose {
  const carried = carriedBy(side, downlink);
  if (carried === undefined) return hasCommands(side, downlink) ? 'mac' : 'acknowledgement';
  const { kind, id } = carried.sender;
  return kind === 'application' ? kind : `${kind} ${id}`;
}

/** FOpts, or a payload on port 0. */
function hasCommands({ downlinks, slots }: ServerSide, downlink: number): boolean {
  const slot = downlinks.column.frameSlot[downlink]!;
  const length = slots.copyOut(slot, bytes);
  return (bytes[FCTRL_AT]! & 0x0f) > 0 || length > BEHIND_FHDR + MIC_BYTES;
}
