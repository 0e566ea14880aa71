/** The simulator's own routes, below `/sim/v1`. */
import type { Rows } from '../route.ts';

export const SIMULATOR: Rows<string> = {
  'GET /health': 'health.get',
  'GET /clock': 'clock.get',
  'PUT /clock': 'clock.set',
  'POST /clock:advance': 'clock.advance',
  'GET /jobs': 'job.list',
  'GET /jobs/{job_id}': 'job.get',
  'DELETE /jobs/{job_id}': 'job.cancel',
  'GET /subscribers': 'subscriber.list',
  'POST /subscribers': ['subscriber.create', { status: 201 }],
  'GET /session.yaml': ['session.get', { media: 'application/yaml' }],
  'GET /devices': 'device.list',
};
