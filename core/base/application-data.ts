/** Rows of what an application sends to a device, or receives: port and payload of a data frame. */
import { isApplicationFPort } from '../../sim/contract/downlinks.ts';

/** The longest FRMPayload of any data rate, bytes (N of RP002-1.0.4 §2.4.6). */
export const LONGEST_FRM_PAYLOAD = 242;

/** Without FPort 0, which is MAC commands, and those that the standard keeps for itself. */
export const F_PORT = {
  type: 'whole',
  least: 1,
  most: 225,
  rule: isApplicationFPort,
  allowed: 'a whole number from 1 to 223, or 225',
} as const;

/** FRMPayload in clear. */
export const FRM_PAYLOAD = { type: 'hexBytes', least: 0, most: LONGEST_FRM_PAYLOAD } as const;
