/** The data of destinations, by the rows of their type, and the credentials that fit them. */
import { andThen, ok, type Result } from '../../../sim/base/result.ts';
import type { CredentialType } from '../credentials/rows.ts';
import { type Header, headersOf } from '../headers.ts';
import { type Data, withStored } from '../secrets.ts';
import { byType, type DestinationType } from '../targets/kinds.ts';
import { dataReader } from '../typed-data.ts';
import { DESTINATION_DATA } from './data-rows.ts';

/** Credentials that a destination may have, by its type. */
export const FITTING: Readonly<Record<DestinationType, readonly CredentialType[]>> = byType(
  ({ credentials }) => credentials,
);

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
      if (!hasHeaders(type)) return ok(data);
      const headers = headersOf(headersIn(data), headersIn(stored), hasOwn, code);
      return andThen(headers, (storedValue) => ok({ ...data, headers: storedValue }));
    }),
  );

/** Whether users add headers to what goes to a destination of a type. */
export const hasHeaders = (type: DestinationType): boolean => 'headers' in DESTINATION_DATA[type];

export const headersIn = (data: Data | undefined) => (data?.headers ?? []) as readonly Header[];
