/** Boards: supply currents by state and power, the chip's windows, and the clock. */
import { INFERRED, type Presets, row } from './preset.ts';

const MEASURED = 'klementc/fuotaa-reprod, power traces of 500 Hz';
/** The driver is that of LoRaMac-node. */
const OF_NODE = { where: ['windows.stack', 'LoRaMac-node'] } as const;
const WL55 = 'STM32WL55 data sheet DS13293';
const BY_CHIP = (chip: string) => `Semtech, ${chip} data sheet and driver`;

export const BOARDS = {
  'nucleo-wl55': {
    is: 'NUCLEO-WL55JC as it was measured with STM32CubeWL’s example, which never sleeps',
    rows: [
      row(
        'windows.chip',
        'STM32WL',
        'STM32CubeWL radio driver, symbol time-out; measured',
        OF_NODE,
      ),
      row('energy.supply', '3 V', MEASURED),
      row('energy.battery', 'external', `${MEASURED}: from the power monitor`),
      row('energy.sleep', '3.07 mA', `${MEASURED}: between windows`),
      row('energy.rx', '7.96 mA', MEASURED),
      row('energy.tx', '28 mA', `${MEASURED}: 27 to 28.3 mA`),
      row('energy.mcu', '0 mA', `${MEASURED}: the processor is in all other figures`, INFERRED),
      row('energy.flash', '0 J', `${MEASURED}: not seen in the traces`, INFERRED),
      row('energy.antennaGain', '0 dB', 'TX_POWER_1 is 14 dBm EIRP there', INFERRED),
      row('clock.source', 'crystal32k', 'NUCLEO-WL55JC user manual: 32.768 kHz crystal'),
    ],
    missing: [
      'Boot, join and the idle tail of a trace have other currents for some seconds (7.1 mA).',
    ],
  },
  stm32wl55: {
    is: 'an STM32WL55 of a product that sleeps, by its data sheet',
    rows: [
      row('windows.chip', 'STM32WL', 'STM32CubeWL radio driver, symbol time-out', OF_NODE),
      row('energy.supply', '3.3 V', WL55),
      row('energy.sleep', '1.07 µA', `${WL55}: Stop 2 with RTC`),
      row('energy.rx', '4.82 mA', WL55),
      row(
        'energy.tx',
        [
          { power: '10 dBm', current: '15 mA' },
          { power: '14 dBm', current: '23.5 mA' },
          { power: '20 dBm', current: '87 mA' },
        ],
        WL55,
      ),
      row('clock.source', 'crystal32k', WL55, INFERRED),
    ],
    missing: ['The currents at other powers are straight lines between those of the data sheet.'],
  },
  'b-l072z-lrwan1': {
    is: 'ST’s Discovery kit with the Murata module: STM32L072 and SX1276',
    rows: [
      row('energy.chip', 'SX1276', BY_CHIP('SX1276')),
      row('energy.supply', '3.3 V', 'B-L072Z-LRWAN1 user manual'),
      row('clock.source', 'crystal32k', 'B-L072Z-LRWAN1 user manual'),
    ],
    missing: [
      'What the board draws asleep depends on its jumpers: the chip’s figure and 1 µA here.',
    ],
  },
  'nucleo-l476-sx1262': {
    is: 'NUCLEO-L476RG with Semtech’s SX1262MB2CAS, a platform of LoRaMac-node',
    rows: [
      row('energy.chip', 'SX1262', BY_CHIP('SX1262')),
      row('energy.supply', '3.3 V', 'NUCLEO-L476RG user manual'),
      row('clock.source', 'crystal32k', 'NUCLEO-L476RG user manual'),
    ],
    missing: ['What the board draws asleep is not known: the chip’s figure and 1 µA here.'],
  },
  'nucleo-l476-lr1110': {
    is: 'NUCLEO-L476RG with Semtech’s LR1110MB1, a platform of LoRa Basics Modem',
    rows: [
      row('energy.chip', 'LR1110', BY_CHIP('LR1110')),
      row('energy.supply', '3.3 V', 'NUCLEO-L476RG user manual'),
      row('clock.source', 'crystal32k', 'NUCLEO-L476RG user manual'),
    ],
    missing: ['What the board draws asleep is not known: the chip’s figure and 1 µA here.'],
  },
} as const satisfies Presets;
