/** The routes of device and gateway management, below the version that they have. */
import type { OperationKind } from '../../../core/operations.ts';
import type { Rows } from '../route.ts';
import type { HostKind } from './simulator.ts';

/** Keys are in PascalCase, and taken in any case. */
export const PLATFORM_V1: Rows<OperationKind | HostKind> = {
  'GET /version': 'version.get',
};
