/** All mutants, from the ground to the entry points. */

import { KNOCKING_MUTANTS } from './authentication.ts';
import { BOUNDARY_MUTANTS } from './boundaries.ts';
import { BRIDGE_MUTANTS } from './bridge.ts';
import { DELIVERIES_MUTANTS } from './deliveries.ts';
import { DELIVERY_MUTANTS } from './delivery.ts';
import { ENTRY_POINT_MUTANTS } from './entry-points.ts';
import { EXPLAIN_MUTANTS } from './explaining.ts';
import { FAULT_MUTANTS } from './faults.ts';
import { GATEWAY_STATE_MUTANTS } from './gateway-states.ts';
import { SMALL_CAPACITY_MUTANTS } from './http-host.ts';
import { IMPORT_MUTANTS } from './importing.ts';
import { LAW_MUTANTS } from './laws.ts';
import { LISTED_TRAFFIC_MUTANTS } from './listed-traffic.ts';
import { LIST_MUTANTS } from './lists.ts';
import type { Mutant } from './mutant.ts';
import { NEIGHBOUR_MUTANTS } from './neighbours.ts';
import { NETWORK_MUTANTS } from './network.ts';
import { OUTBOX_MUTANTS } from './outbox.ts';
import { PAGE_MUTANTS } from './pages.ts';
import { PHYSICS_MUTANTS } from './physics.ts';
import { PLATFORM_MUTANTS } from './platform.ts';
import { PRESET_MUTANTS } from './presets.ts';
import { REPORT_MUTANTS } from './reports.ts';
import { REST_MUTANTS } from './rest.ts';
import { SETTINGS_MUTANTS } from './settings.ts';
import { SENDER_MUTANTS } from './several-senders.ts';
import { STANDARD_MUTANTS } from './standard.ts';
import { STATION_MUTANTS } from './stations.ts';
import { STATISTICS_MUTANTS } from './statistics.ts';
import { STUDY_MUTANTS } from './studies.ts';
import { STUDY_REPORT_MUTANTS } from './study-report.ts';
import { GROUND_TRUTH_MUTANTS } from './truth.ts';
import { WATCHING_MUTANTS } from './watching.ts';
import { WORLD_MUTANTS } from './worlds.ts';

export const MUTANTS: readonly Mutant[] = [
  ...BOUNDARY_MUTANTS,
  ...STANDARD_MUTANTS,
  ...NETWORK_MUTANTS,
  ...LAW_MUTANTS,
  ...LISTED_TRAFFIC_MUTANTS,
  ...PLATFORM_MUTANTS,
  ...ENTRY_POINT_MUTANTS,
  ...SENDER_MUTANTS,
  ...KNOCKING_MUTANTS,
  ...NEIGHBOUR_MUTANTS,
  ...SMALL_CAPACITY_MUTANTS,
  ...REST_MUTANTS,
  ...LIST_MUTANTS,
  ...GATEWAY_STATE_MUTANTS,
  ...PAGE_MUTANTS,
  ...PHYSICS_MUTANTS,
  ...STATION_MUTANTS,
  ...SETTINGS_MUTANTS,
  ...DELIVERY_MUTANTS,
  ...OUTBOX_MUTANTS,
  ...DELIVERIES_MUTANTS,
  ...FAULT_MUTANTS,
  ...PRESET_MUTANTS,
  ...EXPLAIN_MUTANTS,
  ...IMPORT_MUTANTS,
  ...BRIDGE_MUTANTS,
  ...STUDY_MUTANTS,
  ...STATISTICS_MUTANTS,
  ...REPORT_MUTANTS,
  ...STUDY_REPORT_MUTANTS,
  ...GROUND_TRUTH_MUTANTS,
  ...WATCHING_MUTANTS,
  ...WORLD_MUTANTS,
];
