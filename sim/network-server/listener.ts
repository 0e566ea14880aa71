/**
 * What the server reports to the platform while an event happens. The listener only takes notes: it
 * acts after the event.
 */
import type { DownlinkNews, Sender } from '../contract/downlinks.ts';
import type { ForwarderPort } from '../contract/forwarding.ts';
import type { FrameDown, FrameUp } from '../contract/frames.ts';
import type { HeardPackage, MulticastTxStatus, ReceivedUplink } from '../contract/news.ts';

/** A hook that may be absent is there only where somebody listens to what it reports. */
export interface ServerListener {
  /** FPorts on which the uplinks of all devices are reported. */
  readonly ports: Pick<ReadonlySet<number>, 'has'>;
  /**
   * Packages on whose FPort, as its type has it, each device's are: firmware management (TS006),
   * and fragmentation of version 2, whose devices report by themselves (TS004-2.0.0).
   */
  readonly packages: ReadonlySet<HeardPackage>;
  /** Whether uplinks are reported with their frames. */
  readonly framesOfUplinks?: boolean;
  /** An accepted uplink of a watched device, or on such a port; `payload` is a copy in clear. */
  onUplink(uplink: ReceivedUplink): void;
  /** A join or rejoin was accepted: the device is answered with a session, heard or not. */
  onJoin(devEui: string): void;
  /** What became of an application downlink. */
  onDownlink(news: DownlinkNews): void;
  /** A multicast frame went on air at a gateway, or was refused there. */
  onMulticast(status: MulticastTxStatus): void;
  /** A sampled device has rebuilt a block from its fragments. */
  onBlock(rebuilt: {
    readonly devEui: string;
    readonly mcAddr: number;
    readonly block: Uint8Array;
  }): void;
  /** A device runs the image that waited, and ran this version before, unsigned 32 bits. */
  onActivated?(activated: { readonly devEui: string; readonly fwVersion: number }): void;
  /** Where the network server is outside the simulator: what gateways send to it. */
  readonly forwarder?: ForwarderPort | undefined;
  /** A device has received the application downlink that a frame to it carries: once a frame. */
  onReceived?(received: { readonly devEui: string; readonly sender: Sender }): void;
  /** An uplink of a known device was taken in, whatever the verdict; after all that it caused. */
  onFrameUp?(frame: FrameUp): void;
  /** A downlink goes on the air, or will not be sent. */
  onFrameDown?(frame: FrameDown): void;
  /** DevStatusAns. */
  onDeviceStatus?(status: {
    readonly devEui: string;
    readonly battery: number;
    readonly marginDb: number;
  }): void;
}

/** The listener of a network without a platform. */
export const NO_LISTENER: ServerListener = {
  ports: new Set(),
  packages: new Set(),
  onUplink() {
    // There is no platform.
  },
  onJoin() {
    // There is no platform.
  },
  onDownlink() {
    // There is no platform.
  },
  onMulticast() {
    // There is no platform.
  },
  onBlock() {
    // There is no platform.
  },
};
