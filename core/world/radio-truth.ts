/**
 * What the radio knows and the platform does not: which images devices have put together and
 * activated, which devices have received the downlink of a job, and when devices were set as is
 * desired. For results alone; no resource sees it.
 */
import type { Sender } from '../../sim/contract/downlinks.ts';
import type { Resources } from '../operations.ts';
import { ActivatedImages, type SavedActivatedImages } from './activated-images.ts';
import { RebuiltImages, type SavedRebuiltImages } from './rebuilt-images.ts';
import { ReceivedDownlinks, type SavedReceivedDownlinks } from './received-downlinks.ts';
import { type SavedSetDevices, SetDevices } from './set-devices.ts';

/** Plain data. */
export interface SavedRadioGroundTruth {
  readonly rebuilt: SavedRebuiltImages;
  readonly received: SavedReceivedDownlinks;
  readonly set: SavedSetDevices;
  readonly activated: SavedActivatedImages;
}

interface Hooks {
  onBlock(rebuilt: { readonly mcAddr: number; readonly block: Uint8Array }): void;
  onActivated(activated: { readonly devEui: string; readonly fwVersion: number }): void;
  onReceived(received: { readonly devEui: string; readonly sender: Sender }): void;
}

export class RadioGroundTruth {
  readonly rebuilt = new RebuiltImages();
  readonly received = new ReceivedDownlinks();
  readonly set = new SetDevices();
  readonly activated = new ActivatedImages();

  /** What listens to the network; `resources` are there by its first event. */
  hooks(resources: () => Resources, clock: { readonly nowUs: number }): Hooks {
    return {
      onBlock: ({ mcAddr, block }) =>
        this.rebuilt.compare(mcAddr, block, (group) => resources().campaign.imageOf(group)),
      onActivated: ({ devEui, fwVersion }) =>
        this.activated.note(devEui, fwVersion, clock.nowUs, (member) =>
          resources().campaign.hasMember(member),
        ),
      onReceived: ({ devEui, sender }) => {
        const { reliableDownlink, deviceConfiguration } = resources();
        this.received.note(sender, devEui, (jobId) => reliableDownlink.has(jobId));
        if (sender.kind !== 'rollout') return;
        this.set.note(devEui, sender.id, deviceConfiguration.isSet(devEui), clock.nowUs);
      },
    };
  }

  save(): SavedRadioGroundTruth {
    const { rebuilt, received, set, activated } = this;
    return {
      rebuilt: rebuilt.save(),
      received: received.save(),
      set: set.save(),
      activated: activated.save(),
    };
  }

  load({ rebuilt, received, set, activated }: SavedRadioGroundTruth): void {
    this.set.load(set);
    this.activated.load(activated);
    this.rebuilt.load(rebuilt);
    this.received.load(received);
  }
}
