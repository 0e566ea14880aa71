/** The reference firmware update, frame by frame (`test/vectors/fuota-session.json`). */
import { vectors } from './vectors.ts';

export interface FrameRow {
  readonly name: string;
  readonly dir: 'up unicast' | 'down unicast' | 'down multicast';
  readonly fCnt: number;
  readonly fPort: number;
  readonly frmPayload: string;
  readonly phyPayload: string;
}

export interface SessionRow {
  readonly image: string;
  readonly imageSha256: string;
  readonly fragSize: number;
  readonly nbFrag: number;
  readonly padding: number;
  readonly redundancy: number;
  readonly lostN: number[];
  readonly decodedAfterN: number;
  readonly nbFragReceivedWhenDecoded: number;
  readonly frames: FrameRow[];
}

export const fuotaSession = vectors<{
  readonly unicast: {
    readonly devAddr: string;
    readonly nwkSKey: string;
    readonly appSKey: string;
  };
  readonly multicast: {
    readonly mcAddr: string;
    readonly mcKey: string;
    readonly nwkSKey: string;
    readonly appSKey: string;
  };
  readonly genAppKey: string;
  readonly sessions: SessionRow[];
}>('fuota-session');
