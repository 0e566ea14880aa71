/**
 * What the radio knows and the platform does not: which images devices have put together, and which
 * devices have received the downlink of a job. For results alone; no resource sees it.
 */
import type { Sender } from '../../sim/base/downlink-news.ts';
import type { Resources } from '../operations.ts';
import { RebuiltImages, type SavedRebuiltImages } from './rebuilt-images.ts';
import { ReceivedDownlinks, type SavedReceivedDownlinks } from './received-downlinks.ts';

/** Plain data. */
export interface SavedRadioTruth {
  readonly rebuilt: SavedRebuiltImages;
  readonly received: SavedReceivedDownlinks;
}

interface Hooks {
  onBlock(rebuilt: { readonly mcAddr: number; readonly block: Uint8Array }): void;
  onReceived(received: { readonly devEui: string; readonly sender: Sender }): void;
}

export class RadioTruth {
  readonly rebuilt = new RebuiltImages();
  readonly received = new ReceivedDownlinks();

  /** What listens to the network; `resources` are there by its first event. */
  hooks(resources: () => Resources): Hooks {
    return {
      onBlock: ({ mcAddr, block }) =>
        this.rebuilt.compare(mcAddr, block, (group) => resources().campaign.imageOf(group)),
      onReceived: ({ devEui, sender }) =>
        this.received.note(sender, devEui, (jobId) => resources().reliableDownlink.has(jobId)),
    };
  }

  save(): SavedRadioTruth {
    return { rebuilt: this.rebuilt.save(), received: this.received.save() };
  }

  load({ rebuilt, received }: SavedRadioTruth): void {
    this.rebuilt.load(rebuilt);
    this.received.load(received);
  }
}
