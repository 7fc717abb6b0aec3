/** Columns of a list of network regions: the name in the customer's network, and the delivery region it is mapped to where that is known. */
export const sheetColumns = ["networkRegion", "region"] as const;
export type SheetColumn = (typeof sheetColumns)[number];

/** Further names a head may carry. */
export const otherNames: Record<SheetColumn, readonly string[]> = {
  networkRegion: ["name", "network area", "cluster", "网络区域名称", "名称", "ネットワークエリア", "名前"],
  region: ["region", "区域", "地域"],
};
