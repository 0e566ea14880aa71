/** The data of destinations, by the rows of their type, and the credentials that fit them. */
import { andThen, ok, type Result } from '../../../sim/base/result.ts';
import type { CredentialType } from '../credentials/rows.ts';
import type { DestinationType } from '../deliveries/target.ts';
import { type Header, headersOf } from '../headers.ts';
import { type Data, withStored } from '../secrets.ts';
import { dataReader } from '../typed-data.ts';
import { DESTINATION_DATA } from './rows.ts';

/** Credentials that a destination may have, by its type. */
export const FITTING: Readonly<Record<DestinationType, readonly CredentialType[]>> = {
  webhook: ['basic_auth', 'client_credentials'],
  mqtt: ['basic_auth'],
  cloud_a_iot_core: ['x509_certificate'],
  cloud_b_iot_hub: ['cloud_b_shared_access_policy'],
};

const code = 'destination.data';
const readData = dataReader(DESTINATION_DATA, code);

/**
 * What is given, with what is stored of the same type in the place of asterisks. `hasOwn`: its
 * Authorization is that of credentials.
 */
export const destinationData = (
  type: DestinationType,
  given: object,
  hasOwn: boolean,
  stored?: Data,
): Result<Data, typeof code> =>
  andThen(readData(type, given), (read) =>
    andThen(withStored(DESTINATION_DATA[type], read, stored, code), (data) => {
      if (type !== 'webhook') return ok(data);
      const headers = headersOf(headersIn(data), headersIn(stored), hasOwn, code);
      return andThen(headers, (storedValue) => ok({ ...data, headers: storedValue }));
    }),
  );

export const headersIn = (data: Data | undefined) => (data?.headers ?? []) as readonly Header[];
