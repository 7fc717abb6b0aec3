/** How a run goes from its anchors: both ways, or one way with everything else left in place. */
export const scheduleModes = ["BOTH", "FORWARD", "BACKWARD"] as const;
export type ScheduleMode = (typeof scheduleModes)[number];
