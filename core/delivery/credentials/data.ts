/** The data of credentials, by the rows of their type. */
import { andThen, type Result } from '../../../sim/base/result.ts';
import { type Data, withStored } from '../secrets.ts';
import { dataReader } from '../typed-data.ts';
import { CREDENTIAL_DATA, type CredentialType } from './rows.ts';

const readData = dataReader(CREDENTIAL_DATA, 'credentials.data');

/** What is given, with what is stored of the same type in the place of asterisks. */
export const credentialData = (
  type: CredentialType,
  given: object,
  stored?: Data,
): Result<Data, 'credentials.data'> =>
  andThen(readData(type, given), (read) =>
    withStored(CREDENTIAL_DATA[type], read, stored, 'credentials.data'),
  );
