/** Figures of the worlds of an emulator. */
import { type Figures, single } from '../watching/figures.ts';
import type { Worlds } from './worlds.ts';

const US_A_SECOND = 1e6;

export const worldFigures =
  (worlds: Worlds): Figures =>
  () => {
    const { served } = worlds.main;
    const { isPaused, speed } = served.pace;
    return [
      single(
        'fleetwave_virtual_seconds',
        'gauge',
        'Virtual time of the main world since its start.',
        served.nowUs / US_A_SECOND,
      ),
      single('fleetwave_paused', 'gauge', 'Whether its clock stands still.', isPaused ? 1 : 0),
      single(
        'fleetwave_speed',
        'gauge',
        'Virtual seconds a second; infinite: as fast as it can.',
        speed === 'max' ? Number.POSITIVE_INFINITY : speed,
      ),
      single('fleetwave_events', 'gauge', 'Events that have led to it.', served.events),
      single('fleetwave_commands', 'gauge', 'Commands that have led to it.', served.log.length),
      single('fleetwave_lives', 'gauge', 'How often it was restored or reset.', worlds.main.life),
      single('fleetwave_forks', 'gauge', 'Forks that are there.', worlds.forks.length),
    ];
  };
