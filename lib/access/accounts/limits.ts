/** Longest account name and name of a person. */
export const accountChars = 60;
export const personNameChars = 200;
/** What an account can be of. */
export const accountKinds = ["employee", "subcontractor", "customer"] as const;
