/** Life of a session without activity. */
export const sessionHours = 8;
/** How often an open page keeps its session alive (SES-17). */
export const keepAliveMs = 300_000;
/** Seconds a session once read is trusted before the table is asked again. */
export const sessionTrustSeconds = 5;
/** Most bytes of one user setting. */
export const settingBytes = 65_536;
/** Longest id of a user setting. */
export const settingIdChars = 100;
/** Projects kept as recently used. */
export const recentProjects = 10;
/** Longest life of an API token. */
export const tokenDays = 365;
/** Sign-in attempts of one account and of one address in a minute. */
export const signInPerMinute = 10;
/** Largest page of the project list and of the directory. */
export const projectPageMax = 200;
export const directoryPageMax = 50;
/** Shortest text the directory is searched for. */
export const directoryKeyChars = 2;
/** Most rights one check asks for, and the longest name of one. */
export const checkedRights = 200;
export const checkedRightChars = 60;
/** Longest name of an API token. */
export const tokenNameChars = 100;
/** API tokens a person may have at once. */
export const tokensPerPerson = 50;
/** Sessions a person is shown, newest first. */
export const sessionsShown = 100;
/** Steps of unsaved edits a person may choose to take back. */
export const undoStepsMin = 10;
export const undoStepsMax = 500;
