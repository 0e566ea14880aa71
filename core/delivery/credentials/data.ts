/** The data of credentials, by the rows of their type. */
import { andThen, type Result } from '../../../sim/base/result.ts';
import { type Data, withKept } from '../secrets.ts';
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
    withKept(CREDENTIAL_DATA[type], read, stored, 'credentials.data'),
  );
