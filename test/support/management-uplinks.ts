/**
 * What a platform reports of a device's uplinks, made anew from the frames that its server reported
 * of (docs/decisions/0054): all frames are stored, and windows are cut out of them.
 */
import type { FrameUp } from '../../sim/contract/frames.ts';
import { HOUR_US } from './small-network.ts';

const DAY_US = 24 * HOUR_US;

/** An accepted data frame. */
interface HeardUplink {
  readonly frame: FrameUp;
  /** Uplinks that are missing before it. */
  readonly lost: number;
  /** Whether the device's data were private when it came. */
  readonly isPrivate: boolean;
}

const HEALTH = ['good', 'fair', 'poor', 'offline'] as const;
export type Health = (typeof HEALTH)[number];

/** The uplinks of one life of a device. */
export class UplinksHeard {
  readonly all: HeardUplink[] = [];
  /** When the device was registered, µs. */
  readonly bornAtUs: number;
  /** Its latest DevStatusAns. */
  battery: number | undefined;
  hasJoined = false;
  /** Whether a gateway of its owner has heard it: its data in time, or a join or a repetition. */
  heardByOwn: 'yes' | 'hardly' | 'no' = 'no';

  constructor(bornAtUs: number) {
    this.bornAtUs = bornAtUs;
  }

  hear(frame: FrameUp, isPrivate: boolean, ownGateways: readonly string[]): void {
    const { verdict, receptions } = frame;
    if (verdict !== 'joined' && verdict !== 'accepted' && verdict !== 'repeated') return;
    const own = receptions.filter(({ gatewayEui }) => ownGateways.includes(gatewayEui));
    if (own.length > 0 && this.heardByOwn === 'no') this.heardByOwn = 'hardly';
    if (verdict === 'accepted' && own.some(({ late }) => !late)) this.heardByOwn = 'yes';
    if (verdict === 'joined') this.hasJoined = true;
    if (verdict !== 'accepted') return;
    this.all.push({ frame, lost: this.#lostBefore(frame), isPrivate });
  }

  #lostBefore({ data }: FrameUp): number {
    const { fCnt, devAddr } = data!;
    const before = this.all.at(-1)?.frame.data;
    if (before === undefined || before === null) return this.hasJoined ? fCnt : 0;
    const isSameSession = before.devAddr === devAddr && before.fCnt < fCnt;
    return isSameSession ? fCnt - before.fCnt - 1 : fCnt;
  }

  /** Statistics of v1 at an instant, µs; `startMs`: when the world began. */
  statistics(nowUs: number, startMs: number) {
    const hourOf = (atUs: number) => Math.floor((startMs * 1000 + atUs) / HOUR_US);
    const within = (hours: number) =>
      this.all.filter(({ frame }) => hourOf(frame.endedAtUs) >= hourOf(nowUs) - hours);
    const day = within(24);
    const lost = day.reduce((sum, each) => sum + each.lost, 0);
    const best = day.map(({ frame }) => frame.receptions.find(({ late }) => !late)!);
    const share = day.length === 0 ? 0 : lost / (lost + day.length);
    const factors = this.all.map(({ frame }) => frame.spreadingFactor).filter((each) => each > 0);
    const { battery } = this;
    return {
      HealthState: this.#healthAt(nowUs, share),
      SpreadingFactor: factors.at(-1) ?? 0,
      AverageRSSI: meanOf(best.map(rssiOf)),
      AverageESP: meanOf(best.map(({ rssiCentiDbm }) => rssiCentiDbm)),
      AverageSNR: meanOf(best.map(({ snrCentiDb }) => snrCentiDb)),
      PacketErrorRate:
        day.length === 0 ? 0 : Math.round((10_000 * lost) / (lost + day.length)) / 100,
      BatteryLevel:
        battery === undefined || battery === 0 || battery === 255
          ? null
          : Math.round(((battery - 1) * 100) / 253),
      AverageWeeklyPackets: this.#packetsADay(within(168).length, nowUs, startMs),
    };
  }

  /** Over the hour that is running and the 168 before it, or over all that the device is known. */
  #packetsADay(packets: number, nowUs: number, startMs: number): number {
    const windowUs = 168 * HOUR_US + ((startMs * 1000 + nowUs) % HOUR_US);
    return packets === 0
      ? 0
      : Math.round((packets * DAY_US) / Math.min(windowUs, nowUs - this.bornAtUs));
  }

  /** Offline: no uplink for a day, or three mean periods of the latest eight if that is longer. */
  #healthAt(nowUs: number, share: number): Health {
    const ends = this.all.map(({ frame }) => frame.endedAtUs);
    const last = ends.at(-1);
    if (last === undefined) return 'offline';
    const latest = ends.slice(-8);
    const periodUs = latest.length < 2 ? 0 : (last - latest[0]!) / (latest.length - 1);
    if (nowUs - last >= Math.max(DAY_US, 3 * periodUs)) return 'offline';
    return share < 0.1 ? 'good' : share < 0.3 ? 'fair' : 'poor';
  }

  /** End of the latest one, µs; undefined: none came. */
  get lastAtUs(): number | undefined {
    return this.all.at(-1)?.frame.endedAtUs;
  }

  /** What its application sent, the latest first. */
  payloads() {
    return this.all
      .flatMap(({ frame, isPrivate }) => {
        const { fPort, fCnt, payload } = frame.data!;
        const isApplications = fPort !== null && fPort >= 1 && fPort <= 225 && fPort !== 224;
        if (!isApplications) return [];
        const hex = isPrivate ? '' : Buffer.from(payload).toString('hex').toUpperCase();
        return [{ atUs: frame.endedAtUs, isPrivate, FPort: fPort, FCnt: fCnt, PayloadHex: hex }];
      })
      .reverse();
  }
}

/** Of hundredths; never −0. */
const meanOf = (values: readonly number[]): number =>
  values.length === 0
    ? 0
    : Math.round(values.reduce((sum, value) => sum + value, 0) / values.length) / 100 + 0;

/** What a receiver indicates: signal and noise together, 1/100 dBm. The frame has the signal. */
const rssiOf = ({ rssiCentiDbm: esp, snrCentiDb: snr }: FrameUp['receptions'][number]): number =>
  esp + Math.round(1000 * Math.log10(1 + 10 ** (-snr / 1000)));
