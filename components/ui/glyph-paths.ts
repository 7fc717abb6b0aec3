/** The eight activity statuses, in the order in which the first fitting one is taken. */
export const statuses = ["na", "closed", "approving", "completed", "notplanned", "delayed", "within7", "after7"] as const;
export type Status = (typeof statuses)[number];

/** Why a cell cannot be typed into. */
export const locks = ["frozen", "fixed", "tool", "closed", "control", "approving", "deliverable", "revenue"] as const;
export type Lock = (typeof locks)[number];

/** Outlines in a 16 px box, stroke 1.4 (1.7 when drawn in 12 px or less), drawn so that they stay apart at 11 px. */
export const statusPaths: Record<Status, string> = {
  na: "M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4zM3.7 12.3l8.6-8.6",
  closed: "M3.5 7.2h9v6.3h-9zM5.3 7.2V5a2.7 2.7 0 0 1 5.4 0v2.2",
  approving: "M4 2h8M4 14h8M5 2v2.5L8 8l3-3.5V2M5 14v-2.5L8 8l3 3.5V14",
  completed: "M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4zM5 8.3l2.2 2.2L11.2 6",
  notplanned: "M8 1.8a6.2 6.2 0 1 1 0 12.4a6.2 6.2 0 1 1 0-12.4",
  delayed: "M8 1.8l6.5 12h-13zM8 6.3v3.6M8 11.9v.01",
  within7: "M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4zM8 4.7V8l2.4 1.5",
  after7: "M2.3 3.3h11.4v10.4H2.3zM2.3 6.6h11.4M5.3 1.8v2.6M10.7 1.8v2.6",
};

/** Dashes of the outlines that are not drawn through. */
export const statusDashes: Partial<Record<Status, string>> = { notplanned: "2.6 2.3" };

export const lockPaths: Record<Lock, string> = {
  frozen: "M8 1.5v13M2.4 4.7l11.2 6.6M13.6 4.7L2.4 11.3M6 2.8l2 1.7 2-1.7M6 13.2l2-1.7 2 1.7",
  fixed: "M5.5 2h5l-.8 4.5 2.3 2.5H4l2.3-2.5zM8 9v5.5",
  tool: "M6 2v3.5M10 2v3.5M4 5.5h8V8a4 4 0 0 1-8 0zM8 12v2.5",
  closed: statusPaths.closed,
  control: "M8 1.8l5.2 2v4c0 3-2.2 5.3-5.2 6.4-3-1.1-5.2-3.4-5.2-6.4v-4z",
  approving: statusPaths.approving,
  deliverable: "M4 2h5.5L12.5 5v9H4zM6.5 9.5h3.5",
  revenue:
    "M8 13.8A5.8 5.8 0 1 0 8 2.2a5.8 5.8 0 0 0 0 11.6zM10 6.2c-.5-.7-1.2-1-2-1-1.1 0-2 .6-2 1.5 0 2 4 .9 4 2.8 0 .9-.9 1.5-2 1.5-.9 0-1.6-.3-2.1-1M8 4v1.2M8 11v1.2",
};

/** Marks of cells and messages that are no status and no lock. */
export const markPaths = {
  refused: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.3V11M8 5v.01",
  warning: statusPaths.delayed,
  waits: statusPaths.closed,
  waitsLong: statusPaths.within7,
  exceeds: "M5.2 1.8h5.6l3.4 3.4v5.6l-3.4 3.4H5.2l-3.4-3.4V5.2zM8 4.8V9M8 11.2v.01",
  conflict: "M2.5 5.5h10L9.8 2.8M13.5 10.5h-10l2.7 2.7",
  later: "M2.5 8h11M9.2 3.7L13.5 8l-4.3 4.3",
  earlier: "M13.5 8h-11M6.8 3.7L2.5 8l4.3 4.3",
  same: "M3 6h10M3 10h10",
  added: "M8 3v10M3 8h10",
  removed: "M3 8h10",
} as const;
export type Mark = keyof typeof markPaths;
