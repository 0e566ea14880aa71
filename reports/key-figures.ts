/** The figures that most people look for first, chosen once for every form of report. */
import type { RunResult } from '../core/result.ts';
import { KPIS, type Kpi } from './kpi.ts';

export interface KeyFigure {
  readonly kpi: Kpi;
  readonly part: number;
  /** 0 when there was nothing to be a part of. */
  readonly whole: number;
}

/** The share of devices that campaigns updated, when there are any, and those of the network. */
export function keyFigures(result: RunResult): readonly KeyFigure[] {
  const { campaigns } = result;
  if (campaigns.length === 0) return networkFigures(result);
  const devices = campaigns.reduce((all, campaign) => all + campaign.devices, 0);
  const updated = campaigns.reduce((all, campaign) => all + campaign.success, 0);
  return [figureOf('campaign.updated', updated, devices), ...networkFigures(result)];
}

/** Five shares with what they are shares of. */
export function networkFigures({ devices, radio, downlinks }: RunResult): readonly KeyFigure[] {
  const { confirmed } = devices;
  return [
    figureOf('joined', devices.joined, devices.total),
    figureOf('messagesDelivered', devices.messagesDelivered, devices.messages),
    figureOf('received', radio.received, radio.uplinks),
    figureOf('confirmedAcknowledged', confirmed.acknowledged, confirmed.sent),
    figureOf('downlinksReceived', downlinks.received, downlinks.requested),
  ];
}

function figureOf(name: string, part: number, whole: number): KeyFigure {
  return { kpi: KPIS[name]!, part, whole };
}
