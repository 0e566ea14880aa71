/** The routes of device configurations; keys are in snake_case. */
import type { OperationKind } from '../../../core/operations.ts';
import type { Rows } from '../route.ts';

export const CONFIGURATION_V2: Rows<OperationKind> = {
  'GET /devices/{dev_eui}/config': 'deviceConfiguration.get',
  'POST /devices/{dev_eui}/config:enable_manual_control': 'deviceConfiguration.enableManualControl',
  'POST /devices/{dev_eui}/config:disable_manual_control':
    'deviceConfiguration.disableManualControl',
  'PUT /devices/{dev_eui}/config/desired': 'deviceConfiguration.setDesired',
  'DELETE /devices/{dev_eui}/config/desired': 'deviceConfiguration.cancel',
  'GET /devices/{dev_eui}/config/history': 'deviceConfiguration.history',
};
