/** Roles whose holders decide a change of the flow of DUs, and the role that may be asked before them. */
export const approvingRoles = ["PD", "DPD"] as const;
export const firstApprovingRole = "TL";

/** What somebody is told about a change, each a text of its own. */
export const changeNotices = ["asked", "askedFirst", "transferred", "done", "partlyDone", "rejected", "withdrawn"] as const;
export type ChangeNotice = (typeof changeNotices)[number];

/** DUs one mail names; of more it gives the number. */
export const noticeDusMax = 50;
