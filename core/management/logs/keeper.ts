/** Logs of all subscribers: finds the owner of a frame, and which parts may be stored. */
import type { FrameDown, FrameUp } from '../../../sim/contract/frames.ts';
import type { OwnView } from '../../base/subscribers.ts';
import type { Listeners, Surroundings } from '../../kit/resource.ts';
import { isGenuine, keepDownlink, keepUplink } from './gathering.ts';
import { type LogCopy, LogStore, type SavedLog, USUAL_LOG_ENTRIES } from './log-store.ts';

/** A group to whose address frames are sent. */
interface AddressedGroup {
  readonly owner: string;
  /** Upper-case hexadecimal. */
  readonly eui: string;
}

export interface KeeperNeeds extends Pick<Surroundings, 'viewOf' | 'world' | 'logEntries'> {
  readonly endDevice: {
    /** Whether the data of a subscriber's device are private. */
    isPrivate(owner: string, devEui: string, view: OwnView): boolean;
  };
  readonly campaign: { groupOfAddress(mcAddr: number): AddressedGroup | undefined };
  readonly multicastGroup: { ofAddress(mcAddr: number): AddressedGroup | undefined };
}

/** Plain data, but for what `SavedLog` shares. */
export type SavedLogs = readonly { readonly owner: string; readonly log: SavedLog }[];

const NOTHING: LogCopy = { chunks: [], past: 0 };

export class LogKeeper {
  readonly #logs = new Map<string, LogStore>();
  readonly #needs: KeeperNeeds;

  constructor(needs: KeeperNeeds) {
    this.#needs = needs;
  }

  get hears(): Listeners {
    const gatewayChanges = ({ eui }: { readonly eui: string }): void => {
      for (const log of this.#logs.values()) log.forgetGateway(eui);
    };
    return {
      frameUp: ({ frame }, { owner }) => this.#keepUp(frame, owner),
      frameDown: ({ frame }, { owner, nowUs }) => this.#keepDown(frame, owner, nowUs),
      gatewayCreated: gatewayChanges,
      gatewayRemoved: gatewayChanges,
    };
  }

  /** A subscriber's log as it is now. */
  copyOf(owner: string): LogCopy {
    return this.#logs.get(owner)?.copy ?? NOTHING;
  }

  /** Subscribers with stored entries, ordered by id. */
  get subscribers(): readonly string[] {
    return [...this.#logs.keys()].sort();
  }

  save(): SavedLogs {
    return [...this.#logs].map(([owner, log]) => ({ owner, log: log.save() }));
  }

  load(saved: SavedLogs): void {
    this.#logs.clear();
    for (const { owner, log } of saved) this.#logOf(owner).load(log);
  }

  #logOf(owner: string): LogStore {
    const known = this.#logs.get(owner);
    if (known !== undefined) return known;
    const { world, logEntries = USUAL_LOG_ENTRIES } = this.#needs;
    const created = new LogStore(logEntries, (eui) => world.ownerOf('gateway', eui) === owner);
    this.#logs.set(owner, created);
    return created;
  }

  #keepUp(frame: FrameUp, owner: string): void {
    if (!isGenuine(frame)) return;
    const hides = frame.data !== null && this.#isPrivate(frame.devEui, owner);
    keepUplink(this.#logOf(owner), frame, hides);
  }

  /** A group's frame belongs to the group's owner, whichever gateway sends it. */
  #keepDown(frame: FrameDown, owner: string, nowUs: number): void {
    const { devEui, mcAddr } = frame;
    if (devEui !== null) {
      const hides = this.#isPrivate(devEui, owner);
      return keepDownlink(this.#logOf(owner), frame, devEui, nowUs, hides);
    }
    const { multicastGroup, campaign } = this.#needs;
    const group = multicastGroup.ofAddress(mcAddr!) ?? campaign.groupOfAddress(mcAddr!);
    keepDownlink(this.#logOf(group?.owner ?? owner), frame, group?.eui ?? '', nowUs, false);
  }

  #isPrivate(devEui: string, owner: string): boolean {
    const { endDevice, viewOf } = this.#needs;
    return endDevice.isPrivate(owner, devEui, viewOf(owner));
  }
}
