/** Colours of the fates of multicast frames. */
const COLOURS: Readonly<Record<string, string>> = {
  none: 'var(--track)',
  heard: 'var(--area)',
  outOfReach: 'var(--c0)',
  notListening: 'var(--c6)',
  noBeacon: 'var(--c7)',
  ownUplink: 'var(--c4)',
  lockedOnOther: 'var(--c5)',
  tooWeak: 'var(--c3)',
  frameLoss: 'var(--c1)',
  noise: 'var(--c2)',
  interfered: 'var(--d0)',
};

export const fateColour = (fate: string): string => COLOURS[fate] ?? 'var(--never)';
