/** DUs one call may bind or unbind; jobs bind by the command, which has no such bound. */
export const bindDusMax = 200;

export const bindingSources = ["manual", "rule", "copy", "import"] as const;
export type BindingSource = (typeof bindingSources)[number];
