/**
 * How a device is configured and reached, as the rest of the platform has it: its codec follows
 * from its decoder type, whether it is reached from the gateways that hear it.
 */

import type { JsonObject } from '../../../sim/base/json.ts';
import { pointerTo } from '../../../sim/base/json-pointer.ts';
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import { isApplicationFPort } from '../../../sim/contract/downlinks.ts';
import type { DeviceView, NetworkView } from '../../../sim/contract/view.ts';
import { LONGEST_FRM_PAYLOAD } from '../../base/application-data.ts';
import type { Codec, CodecDownlink } from '../../codecs/codec.ts';
import type { Surroundings } from '../../kit/resource.ts';
import { connectionOf } from '../../simulator/gateway-states.ts';
import type { DeviceCodec } from './rollout.ts';
import { type DeviceRecord, type Fragment, newFragment } from './state.ts';

/** What configurations use of the platform and of other resources. */
export interface ConfigurationNeeds extends Surroundings {
  readonly decoderType: {
    /** Undefined: the subscriber sees none by this id. */
    codecOf(id: string, by: string): Codec | undefined;
    /** Whether some codec reads configurations of uplinks on this FPort. */
    reportsOn(fPort: number): boolean;
  };
  readonly endDevice: {
    /** Ids; `decoderType` is '' where the device has none. */
    registrationOf(
      device: DeviceView,
      asking: { readonly by: string },
    ): { readonly decoderType: string; readonly deviceProfile: string };
  };
  readonly deviceProfile: { get(id: string, view: NetworkView): unknown };
  readonly account: { idOf(who: { readonly by: string; readonly as?: string }): string };
}

/** Fragments that a rollout may have. */
const MOST_FRAGMENTS = 256;

type Invalid = 'deviceConfiguration.invalid';

export class DeviceCodecs {
  readonly #needs: ConfigurationNeeds;
  /** What was encoded last: a cache, and no state. */
  #latest:
    | {
        readonly configuration: ConfigurationCodec;
        readonly config: JsonObject;
        readonly encoded: Encoded;
      }
    | undefined;

  constructor(needs: ConfigurationNeeds) {
    this.#needs = needs;
  }

  /** Whether an uplink on this FPort may report a configuration, of any owner. */
  mayReport(fPort: number): boolean {
    return this.#needs.decoderType.reportsOn(Math.max(0, fPort));
  }

  /** How a subscriber's device is configured; undefined: it is not. */
  of(device: DeviceView, owner: string): DeviceCodec | undefined {
    const { decoderType } = this.#needs.endDevice.registrationOf(device, { by: owner });
    if (decoderType === '') return undefined;
    const configuration = this.#needs.decoderType.codecOf(decoderType, owner)?.configuration;
    return configuration && { decoderType, configuration };
  }

  /** What a configuration is sent as; or what the codec says is wrong with it. */
  fragmentsOf(
    { configuration }: DeviceCodec,
    config: JsonObject,
  ): Result<readonly Fragment[], Invalid> {
    const encoded = this.#encoded(configuration, config);
    if ('errors' in encoded) return invalid(config, encoded.errors);
    const { value } = encoded;
    const isOne = configuration.confirmation === 'reported-config';
    const most = isOne ? 1 : MOST_FRAGMENTS;
    if (value.length < 1 || value.length > most) {
      const allowed = isOne ? '1 downlink' : `1 to ${most} downlinks`;
      return invalid(config, [`The codec makes ${value.length} downlinks of it, not ${allowed}.`]);
    }
    const wrong = value.find((each) => !isSendable(each));
    if (wrong !== undefined) {
      const what = `${wrong.bytes.length} bytes on FPort ${wrong.fPort}`;
      return invalid(config, [`The codec makes a downlink of it that cannot be sent: ${what}.`]);
    }
    return ok(value.map(({ fPort, bytes }) => newFragment(fPort, new Uint8Array(bytes))));
  }

  /**
   * What is desired of many devices is encoded once: a wake-up looks at 256 of them, and a call of
   * a codec may take 25 ms. A codec makes the same of the same configuration each time.
   */
  #encoded(configuration: ConfigurationCodec, config: JsonObject): Encoded {
    const latest = this.#latest;
    if (latest?.configuration === configuration && latest.config === config) return latest.encoded;
    const encoded = configuration.encode(config);
    this.#latest = { configuration, config, encoded };
    return encoded;
  }

  /** Whether a connected gateway of its owner's is among those that hear the device. */
  isReached(owner: string, devEui: string, nowUs: number): boolean {
    const view = this.#needs.viewOf(owner);
    const heardBy = view.device(devEui)?.heardBy ?? [];
    return heardBy.some(({ gatewayEui }) => {
      const gateway = view.gateway(gatewayEui);
      // One that has sent no status yet has heard the device, and is not known to be gone.
      return gateway !== undefined && connectionOf(gateway, nowUs) !== 'DISC';
    });
  }

  /** What a device is really set to; undefined: it has no settings. */
  settingsOf({ owner, devEui }: DeviceRecord): JsonObject | undefined {
    const settings = this.#needs.viewOf(owner).device(devEui)?.settings;
    return settings && { ...settings };
  }
}

type ConfigurationCodec = DeviceCodec['configuration'];
type Encoded = ReturnType<ConfigurationCodec['encode']>;

const isSendable = ({ fPort, bytes }: CodecDownlink): boolean =>
  isApplicationFPort(fPort) && bytes.length <= LONGEST_FRM_PAYLOAD;

/** Characters of a message that a codec's errors take at most. */
const MOST_SAID = 1_000;

/** The failure points to the parameter that the codec's first error begins with, if to one. */
function invalid(config: JsonObject, errors: readonly string[]) {
  const [first = ''] = errors;
  const [, said = ''] = /^\/?([^\s:/]+)/.exec(first) ?? [];
  const pointer = Object.hasOwn(config, said) ? pointerTo([said]) : '';
  const message = errors.join(' ').slice(0, MOST_SAID) || 'The codec does not encode this.';
  return fail('deviceConfiguration.invalid' as const, message, `/config${pointer}`);
}
