/** Notes what happens to gateways, as news of the network tell it. */

import type { GatewayView, NetworkFacts } from '../../../sim/contract/view.ts';
import type { RegionName } from '../../../sim/lorawan/region.ts';
import { NEVER_US } from '../../base/instant.ts';
import type { OwnView } from '../../base/subscribers.ts';
import type { Listeners, Surroundings } from '../../kit/resource.ts';
import { Histories, type Turn } from './history.ts';

export interface RecorderNeeds extends Pick<Surroundings, 'viewOf' | 'keepsRecords'> {
  readonly baseStation: {
    registrationOf(gateway: GatewayView, view: OwnView): { readonly rfRegion: string };
  };
  readonly rfRegion: { idOf(name: RegionName): string };
}

export class Recorder {
  readonly histories = new Histories();
  readonly #needs: RecorderNeeds;

  constructor(needs: RecorderNeeds) {
    this.#needs = needs;
  }

  get hears(): Listeners {
    const { viewOf, keepsRecords } = this.#needs;
    if (!keepsRecords) return {};
    return {
      gatewayCreated: ({ eui }, { owner, nowUs }) => {
        this.histories.add(eui, this.#begun(nowUs, viewOf(owner)));
      },
      gatewayChanged: ({ eui }, { owner, nowUs }) => this.#note(eui, viewOf(owner), nowUs),
      gatewayState: ({ eui }, { owner, nowUs }) => this.#note(eui, viewOf(owner), nowUs),
      gatewayRemoved: ({ eui }) => this.histories.forget(eui),
    };
  }

  /** One at least: whatever has happened to a gateway that was planned has been heard of. */
  turnsOf({ eui, putUpAtUs }: GatewayView, view: OwnView): readonly Turn[] {
    const turns = this.histories.of(eui);
    return turns.length > 0 ? turns : [this.#begun(putUpAtUs, view)];
  }

  /** Notes how a gateway is now, where that is another than it was. */
  #note(eui: string, view: OwnView, nowUs: number): void {
    const gateway = view.gateway(eui)!;
    const { rfRegion } = this.#needs.baseStation.registrationOf(gateway, view);
    const { backhaulUp, radioUp, putUpAtUs: bootedAtUs } = gateway;
    if (this.histories.of(eui).length === 0) this.histories.add(eui, this.#begun(0, view));
    const last = this.histories.of(eui).at(-1)!;
    const statusAtUs = gateway.lastStatusAtUs(nowUs) ?? NEVER_US;
    const turn: Turn = { atUs: nowUs, backhaulUp, radioUp, bootedAtUs, rfRegion, statusAtUs };
    if (isAnother(last, turn)) this.histories.add(eui, turn);
  }

  /** How a gateway is as it comes. */
  #begun(bootedAtUs: number, { region }: Pick<NetworkFacts, 'region'>): Turn {
    const rfRegion = this.#needs.rfRegion.idOf(region);
    const works = { backhaulUp: true, radioUp: true, statusAtUs: NEVER_US };
    return { atUs: bootedAtUs, ...works, bootedAtUs, rfRegion };
  }
}

const isAnother = (one: Turn, other: Turn): boolean =>
  one.backhaulUp !== other.backhaulUp ||
  one.radioUp !== other.radioUp ||
  one.bootedAtUs !== other.bootedAtUs ||
  one.rfRegion !== other.rfRegion;
