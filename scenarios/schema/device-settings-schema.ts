/** Knobs of how devices are set over the air. */
import {
  SETTINGS_FPORT,
  SETTINGS_PARAMETERS,
  SETTINGS_PROTOCOLS,
} from '../../sim/base/device-settings.ts';
import { choice, count } from '../language/kinds.ts';
import { knob, maybe, needed, record } from '../language/knob.ts';

const { least, most } = SETTINGS_PARAMETERS.uplinkPort;

const DeviceSettings = record({
  fPort: knob(count(least, most), SETTINGS_FPORT, {
    is: 'Port of downlinks that set them, and of what they say of it.',
  }),
  protocol: needed(choice(...SETTINGS_PROTOCOLS), {
    is:
      'What they say of settings that they took: silent: nothing; echo: the payload, in place of ' +
      'their next message; report: all of it, after a start, a join and each change, and daily.',
  }),
});

/** Of a population. */
export const settingsKnob = maybe(DeviceSettings, {
  is:
    'How they are set over the air: period, length, port and confirmation of their messages ' +
    '(docs/model.md); not at all when absent. Their traffic is one that settings can say.',
});
