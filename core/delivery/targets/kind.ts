/**
 * What a kind of targets declares: the entries of output profiles that are one, the destinations
 * that are one, and how either is reached. START HERE to add a kind: a file beside this one, a row
 * in kinds.ts, and a sender of its name in api/host/deliveries/senders/ (a test asks for it).
 */
import type { Effective, Fields } from '../../../sim/base/rows/fields.ts';
import type { CREDENTIAL_DATA, CredentialType } from '../credentials/rows.ts';
import type { Data } from '../secrets.ts';

/** How a target is reached, secrets in clear: for hosts that deliver. No operation answers it. */
export interface AnyRoute {
  readonly kind: string;
}

/** Entries of an output profile that are targets of a kind. */
export interface EntryKind<Name, Knob, Rows extends Fields, To extends AnyRoute> {
  /** The array of a profile that has them. */
  readonly array: Name;
  /** The list of a scenario's profile that has them. */
  readonly knob: Knob;
  readonly rows: Rows;
  /** What they are, a sentence. */
  readonly is: string;
  /** Where it goes: two with the same are one entry. */
  readonly address: (entry: Effective<Rows>) => string;
  /** Variables in the address are replaced at each delivery. */
  readonly hasVariables?: true;
  /** Receiver of its secrets: they are stored while this stays. */
  readonly host: (entry: Effective<Rows>) => string;
  readonly route: (entry: Effective<Rows>) => To;
}

/** Destinations that are targets of a kind. */
export interface DestinationKind<Type, Rows extends Fields, To extends AnyRoute> {
  readonly type: Type;
  /** Types of credentials that one may have. */
  readonly credentials: readonly CredentialType[];
  readonly rows: Rows;
  /** The field of the data with its address, whose form depends on the type. */
  readonly place: keyof Rows & string;
  /** What answers say of a field in other words than requests. */
  readonly answers?: { readonly [Field in keyof Rows]?: string };
  /** Without credentials it is reached as anybody reaches it, if it is. */
  readonly route: (data: Effective<Rows>, credentials: KnownCredentials | undefined) => To;
}

/** Credentials with their secrets. */
export interface KnownCredentials {
  readonly type: CredentialType;
  readonly data: Data;
}

/** A kind, as it is declared. */
export const declareKind = <
  const Name extends string,
  const Knob extends string,
  const Entry extends Fields,
  const Type extends string,
  const Rows extends Fields,
  To extends AnyRoute,
>(kind: {
  readonly entry: EntryKind<Name, Knob, Entry, To>;
  readonly destination: DestinationKind<Type, Rows, To>;
}) => kind;

/** The data of credentials, if they are of a type. */
export const heldAs = <Type extends CredentialType>(
  credentials: KnownCredentials | undefined,
  type: Type,
): Effective<(typeof CREDENTIAL_DATA)[Type]> | undefined =>
  credentials?.type === type
    ? (credentials.data as Effective<(typeof CREDENTIAL_DATA)[Type]>)
    : undefined;
