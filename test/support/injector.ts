/** A network without a world around it, whose server can be handed frames that nobody sent. */
import { expandSeed } from '../../sim/base/random.ts';
import { EventKind, type NetworkEvent } from '../../sim/events.ts';
import { Agenda } from '../../sim/kernel/agenda.ts';
import { NONE } from '../../sim/kernel/columns.ts';
import { Network } from '../../sim/network/network.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { SECOND_US, Trace } from './small-network.ts';

export class Injector {
  readonly observer = new Trace();
  readonly agenda = new Agenda();
  readonly network: Network;

  constructor(plan: NetworkPlan) {
    const { observer } = this;
    const options = { slicing: { firstUs: SECOND_US, most: 1e6 }, observer };
    this.network = new Network(plan, expandSeed('injector'), this.agenda, options);
    this.network.populate();
  }

  runUntil(untilUs: number): void {
    const { agenda } = this;
    while (agenda.next(untilUs)) {
      this.network.dispatch(agenda.kind as NetworkEvent, agenda.target, agenda.nowUs);
    }
    agenda.advance(untilUs);
  }

  /** What the server makes of a frame that its first gateway reports now. */
  inject(phyPayload: Uint8Array): string {
    const { collector, slots } = this.network.sides.server;
    const nowUs = this.agenda.nowUs;
    const frameSlot = slots.take();
    slots.copyIn(frameSlot, phyPayload, phyPayload.length);
    const firstCopy = collector.copy(NONE, 0, -9000, 500, nowUs + 1);
    const air = { frequencyHz: 868_100_000, dataRate: 5 };
    const gathered = { frame: 0, frameSlot, firstCopy, endedAtUs: nowUs, ...air };
    const dueAtUs = collector.gather(0, gathered);
    this.agenda.appoint(EventKind.uplinkCollected, 0, dueAtUs);
    this.runUntil(dueAtUs);
    return this.observer.of('uplinkCollected').at(-1)?.verdict ?? '';
  }

  /** What the server knows of its first device. */
  get known(): { fCntUp: number; delivered: number; devNonce: number } {
    const { fCntUp, delivered, devNonce } = this.network.sides.server.registrations.column;
    return { fCntUp: fCntUp[0], delivered: delivered[0], devNonce: devNonce[0] };
  }
}
