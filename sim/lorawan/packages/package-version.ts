/**
 * What every application layer package answers: which package it is, and which version
 * (TS003…TS006, CID 00).
 */
import { message, u8 } from '../message.ts';

export const PackageVersionReq = message(0x00, {});

export const PackageVersionAns = message(0x00, { packageIdentifier: u8, packageVersion: u8 });

/** Usual port and identifier of each package. */
export const PACKAGES = {
  clockSync: { packageIdentifier: 1, fPort: 202 },
  multicastSetup: { packageIdentifier: 2, fPort: 200 },
  fragmentation: { packageIdentifier: 3, fPort: 201 },
  firmwareManagement: { packageIdentifier: 4, fPort: 203 },
} as const;
