/** People one introduction brings. RES-23 */
export const introducedMax = 20;
export const reasonChars = 500;
export const introductionStatuses = ["PENDING", "APPROVED", "REJECTED", "WITHDRAWN"] as const;
export type IntroductionStatus = (typeof introductionStatuses)[number];
