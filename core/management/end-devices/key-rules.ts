/**
 * Which of a device’s keys are given to create it, by how it gets its session and by its version of
 * LoRaWAN (device and gateway management, Device creation input).
 */
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import type { NewDevice } from '../../../sim/contract/things.ts';
import type { DeviceProfile } from '../device-profiles.ts';
import type { CREATION, Creation } from './rows.ts';

type KeyField = keyof typeof CREATION;

const REQUIRED = {
  ABP: ['DevAddr', 'NetworkSkey', 'ApplicationSKey'],
  OTAA: ['ApplicationEUI', 'ApplicationKey'],
} as const satisfies Record<Creation['ActivationType'], readonly KeyField[]>;

const OMITTED = {
  ABP: ['ApplicationEUI', 'ApplicationKey', 'NetworkKey'],
  OTAA: ['NetworkSkey', 'ApplicationSKey'],
} as const satisfies Record<Creation['ActivationType'], readonly KeyField[]>;

/** What the network gets of a device's keys. */
type Keys = Required<Pick<NewDevice, 'credentials'>> & Pick<NewDevice, 'appKey'>;

/** The keys of a device of this profile; or the first that is missing, or one too many. */
export function keysOf(
  given: Creation,
  { name, lorawan }: Pick<DeviceProfile, 'name' | 'lorawan'>,
): Result<Keys, 'endDevice.keys'> {
  const { ActivationType: activation } = given;
  const missing = REQUIRED[activation].find((each) => given[each] === undefined);
  if (missing !== undefined) return refuse(missing, `is missing; ${activation} needs it.`);
  const surplus = OMITTED[activation].find((each) => given[each] !== undefined);
  if (surplus !== undefined) return refuse(surplus, `is not given with ${activation}.`);
  if (activation === 'OTAA' && (given.NetworkKey !== undefined) !== (lorawan === '1.1')) {
    const wrong = lorawan === '1.1' ? 'is missing' : 'is given';
    return refuse('NetworkKey', `${wrong}; the profile ${name} is of LoRaWAN ${lorawan}.`);
  }
  return ok(activation === 'ABP' ? personalKeys(given) : rootKeys(given));
}

const refuse = (field: KeyField, what: string) =>
  fail('endDevice.keys', `${field} ${what}`, `/${field}`);

const personalKeys = ({
  DevAddr = '',
  NetworkSkey = '',
  ApplicationSKey = '',
}: Creation): Keys => ({
  credentials: {
    activation: 'abp',
    devAddr: Number.parseInt(DevAddr, 16),
    nwkSKey: NetworkSkey,
    appSKey: ApplicationSKey,
  },
});

const rootKeys = ({ ApplicationEUI = '', ApplicationKey = '', NetworkKey }: Creation): Keys => ({
  appKey: ApplicationKey,
  credentials: {
    activation: 'otaa',
    joinEui: ApplicationEUI,
    ...(NetworkKey === undefined ? {} : { nwkKey: NetworkKey }),
  },
});
