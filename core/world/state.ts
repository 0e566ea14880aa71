/** All of a world but its plan and its seed, as plain data: what a snapshot holds. */
import type { SavedAgenda } from '../../sim/kernel/agenda.ts';
import type { SavedNetwork } from '../../sim/network/network.ts';
import type { Content } from '../base/contents.ts';
import { copyPlain } from '../base/plain.ts';
import type { PlatformState } from '../platform.ts';
import type { SavedCourse } from './course.ts';
import type { SavedRadioGroundTruth } from './radio-truth.ts';
import type { SavedTimeline } from './timeline.ts';

export interface State {
  readonly agenda: SavedAgenda;
  readonly network: SavedNetwork;
  readonly timeline: SavedTimeline;
  readonly commands: readonly number[];
  readonly platform: PlatformState;
  readonly truth: SavedRadioGroundTruth;
  readonly course: SavedCourse;
  /** What records name by SHA-256: the bytes are those of the world, and nobody changes them. */
  readonly contents: readonly Content[];
}

/** The bytes of contents are shared. */
export const copyState = <S extends State>({ contents, ...state }: S) => ({
  ...copyPlain(state),
  contents: contents.map((each) => ({ ...each })),
});
