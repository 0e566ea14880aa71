/** The simulator's own routes, below `/sim/v1`; `collections.ts` has those by convention. */
import type { OperationKind } from '../../../core/operations.ts';
import type { accountOperations } from '../../host/accounts/account-operations.ts';
import type { applicationOperations } from '../../host/accounts/application-operations.ts';
import type { subscriberOperations } from '../../host/accounts/subscriber-operations.ts';
import type { outboxOperations } from '../../host/deliveries/outbox-operations.ts';
import type { watchOperations } from '../../host/watching/watch.ts';
import type { clockOperations } from '../../host/world/clock-operations.ts';
import type { hostOperations } from '../../host/world/host-operations.ts';
import type { timelineOperations } from '../../host/world/timeline-operations.ts';
import type { worldOperations } from '../../host/world/world-operations.ts';
import type { Rows } from '../route.ts';

/** Operations of the host, by kind. */
export type HostKind =
  | keyof ReturnType<typeof hostOperations>
  | keyof ReturnType<typeof clockOperations>
  | keyof ReturnType<typeof worldOperations>
  | keyof ReturnType<typeof outboxOperations>
  | keyof ReturnType<typeof timelineOperations>
  | keyof ReturnType<typeof subscriberOperations>
  | keyof ReturnType<typeof applicationOperations>
  | keyof ReturnType<typeof accountOperations>
  | keyof ReturnType<typeof watchOperations>;

export const SIMULATOR: Rows<HostKind | OperationKind> = {
  'GET /health': 'health.get',
  'GET /clock': 'clock.get',
  'PUT /clock': 'clock.set',
  'POST /clock:advance': 'clock.advance',
  'GET /jobs': 'job.list',
  'GET /jobs/{job_id}': 'job.get',
  'DELETE /jobs/{job_id}': 'job.cancel',
  'GET /world': 'world.get',
  'GET /result.json': 'world.result',
  'GET /report.html': ['world.report', { media: 'text/html' }],
  'POST /world:reset': 'world.reset',
  'GET /worlds': 'world.list',
  'POST /worlds': ['world.fork', { status: 201 }],
  'GET /worlds/{world_id}': 'world.find',
  'DELETE /worlds/{world_id}': 'world.end',
  'POST /timeline': 'timeline.apply',
  'GET /snapshots': 'snapshot.list',
  'POST /snapshots': ['snapshot.create', { status: 201 }],
  'GET /snapshots/{name}': 'snapshot.get',
  'DELETE /snapshots/{name}': 'snapshot.delete',
  'POST /snapshots/{name}/restore': 'snapshot.restore',
  'GET /subscribers': 'subscriber.list',
  'POST /subscribers': ['subscriber.create', { status: 201 }],
  'GET /session.yaml': ['session.get', { media: 'application/yaml' }],
  'GET /deliveries': 'delivery.list',
  'POST /deliveries/targets/{target}/disable': 'delivery.disable',
  'GET /deliveries/outbox': 'outbox.list',
  'GET /deliveries/outbox/{target}': 'outbox.get',
  'GET /deliveries/outbox/{target}/messages': 'message.list',
  'POST /deliveries/outbox/{target}/pause': 'outbox.pause',
  'POST /deliveries/outbox/{target}/resume': 'outbox.resume',
  'GET /deliveries/messages/{id}': 'message.get',
  'POST /deliveries/messages/{id}/redeliver': 'message.redeliver',
  'GET /requests': 'request.list',
  'DELETE /requests': 'request.clear',
  'GET /coverage': 'coverage.get',
  'DELETE /coverage': 'coverage.clear',
  'GET /events': ['event.listen', { media: 'text/event-stream' }],
  'GET /faults/api': 'apiFault.list',
  'POST /faults/api': ['apiFault.create', { status: 201 }],
  'DELETE /faults/api': 'apiFault.clear',
  'DELETE /faults/api/{id}': 'apiFault.delete',
  'GET /receivers': 'receiver.list',
  'PUT /receivers/{name}': 'receiver.put',
  'DELETE /receivers/{name}': 'receiver.delete',
  'GET /devices': 'device.list',
  'GET /devices/{eui}/behaviour': ['device.answers', { path: { eui: 'devEui' } }],
  'GET /devices/{eui}/settings': ['device.settings', { path: { eui: 'devEui' } }],
  'GET /devices/{eui}/truth': ['device.truth', { path: { eui: 'devEui' } }],
  'GET /truth': 'device.truths',
  'GET /faults': 'fault.list',
  'PUT /gateways/{eui}/faults/{fault}': 'gateway.fault',
  'DELETE /gateways/{eui}/faults/{fault}': 'gateway.repair',
  'PUT /devices/{eui}/faults/{fault}': ['device.fault', { path: { eui: 'devEui' } }],
  'DELETE /devices/{eui}/faults/{fault}': ['device.repair', { path: { eui: 'devEui' } }],
  'POST /devices/{eui}/reboot': ['device.reboot', { path: { eui: 'devEui' } }],
  'POST /devices/{eui}/clock': ['device.stepClock', { path: { eui: 'devEui' } }],
  'PUT /devices/{eui}/behaviour': ['device.behaviour', { path: { eui: 'devEui' } }],
};
