/** What `fleetwave plan` takes where nobody says, as words. */
export const PLAN_DEFAULTS = {
  region: 'EU868',
  session: 'C',
  loss: '10%',
  confidence: '99%',
  gatewayTiming: 'staggered',
  uplinkPeriod: '1h',
} as const;
