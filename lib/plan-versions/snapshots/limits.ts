/** Kinds of kept versions; the current plan is the plan itself and never one of them. [VER-06] */
export const versionKinds = ["baseline", "published", "historical"] as const;
export type VersionKind = (typeof versionKinds)[number];

/** A version speaks of the whole project, or of chosen DUs. */
export const versionScopes = ["project", "selection"] as const;
export type VersionScope = (typeof versionScopes)[number];

/** What made a version. */
export const versionSources = ["release", "manual", "automation", "flow_change", "import"] as const;
export type VersionSource = (typeof versionSources)[number];

/** DUs a version is made of within the call; for more it is a background task. */
export const directDusMax = 200;
/** DUs one transaction of a background task takes. */
export const versionChunkDus = 10_000;
