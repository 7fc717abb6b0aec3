/** What somebody is told about an order or a request, each a text of its own. */
export const noticeKinds = [
  "dispatched",
  "accepted",
  "rolledBack",
  "takenOver",
  "handedOver",
  "completed",
  "moved",
  "naAsked",
  "naDone",
  "naRejected",
  "naFailed",
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** Activities one mail lists; of more it gives the number. */
export const noticeLinesMax = 50;
/** Activities a notice in the product lists; its title says how many there are. */
export const noticePlacesMax = 3;
