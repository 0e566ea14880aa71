/** Digest of the commands of a world, but of those that were refused. */
import { Digest } from '../../sim/kernel/digest.ts';
import { foldField } from '../base/fold.ts';
import { DEFAULT_SUBSCRIBER } from '../base/subscribers.ts';
import type { AdmittedCommand } from '../command.ts';
import { withoutDrawn } from '../operations.ts';
import type { RequestedTransmission } from './log.ts';

export class CommandDigest extends Digest {
  addCommand(command: AdmittedCommand, atUs: number): void {
    this.addNumber(atUs);
    // The default subscriber is nobody in particular, and folds nothing.
    const by = command.by === DEFAULT_SUBSCRIBER ? '' : command.by;
    foldField(this, 'command', { ...withoutDrawn(command), by });
  }

  /** A transmission that an outside server requested. */
  addTransmission({ transmission, atUs }: RequestedTransmission): void {
    this.addNumber(atUs);
    foldField(this, 'transmission', { ...transmission });
  }

  /** A command that had ended its process is known by its place alone: no command reads so. */
  addSteppedOver(atUs: number): void {
    this.addNumber(atUs);
    this.addText('stepped over');
  }
}
