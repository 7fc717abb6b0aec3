/** Rows one answer may hold. */
export const answerRowsMax = 2_000;
/** Answers one call maps or decides. */
export const feedbackPerCall = 200;
/** Characters of the name of a DU or activity as the recipient writes it, of his remark, and of the comment on a decision. */
export const rawTextChars = 250;
export const remarkChars = 2_000;
export const commentChars = 2_000;
/** Suggestions shown for one name, and by how many letters one may differ. */
export const suggestionsMax = 10;
export const suggestionDistance = 2;

/** Whether both DU and activity of an answer are known in the version. [VER-07] */
export const mappings = ["mapped", "not_mapped"] as const;
export type Mapping = (typeof mappings)[number];
export const decisions = ["open", "accepted", "refused"] as const;
export type Decision = (typeof decisions)[number];
