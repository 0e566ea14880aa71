/**
 * What a network reports, as news for the platform. The hooks for what every frame would cost are
 * there only where somebody listens: a world in which nobody does pays nothing.
 */
import type { DownlinkNews } from '../../sim/contract/downlinks.ts';
import type { FrameDown, FrameUp } from '../../sim/contract/frames.ts';
import type { MulticastTxStatus, News, ReceivedUplink } from '../../sim/contract/news.ts';
import { HEARD_PACKAGES, HEARD_PORTS } from '../platform.ts';

type Report = (news: News) => void;
type DeviceStatus = Omit<Extract<News, { readonly kind: 'deviceStatus' }>, 'kind'>;

/** Hooks that may be absent. */
interface Bulk {
  onFrameUp?: (frame: FrameUp) => void;
  onFrameDown?: (frame: FrameDown) => void;
  onDeviceStatus?: (status: DeviceStatus) => void;
}

const HEARD: ReadonlySet<number> = new Set(HEARD_PORTS);

/** The hooks that are always there; `reportsOn`: FPorts that are heard of every device, too. */
export const hooksOf = (report: Report, reportsOn: (fPort: number) => boolean) => ({
  ports: { has: (fPort: number) => HEARD.has(fPort) || reportsOn(fPort) },
  packages: new Set(HEARD_PACKAGES),
  onUplink: (uplink: ReceivedUplink) => report({ kind: 'uplink', uplink }),
  onJoin: (devEui: string) => report({ kind: 'joined', devEui }),
  onDownlink: ({ id, sender, devEui, what }: DownlinkNews) =>
    report({ kind: 'downlink', id, sender, devEui, what }),
  onMulticast: (status: MulticastTxStatus) => report({ kind: 'multicast', status }),
});

/** Adds the hooks for the kinds that somebody hears. */
export function addBulk(to: Bulk, isHeard: (kind: News['kind']) => boolean, report: Report): void {
  if (isHeard('frameUp')) to.onFrameUp = (frame) => report({ kind: 'frameUp', frame });
  if (isHeard('frameDown')) to.onFrameDown = (frame) => report({ kind: 'frameDown', frame });
  if (isHeard('deviceStatus')) {
    to.onDeviceStatus = (status) => report({ kind: 'deviceStatus', ...status });
  }
}
