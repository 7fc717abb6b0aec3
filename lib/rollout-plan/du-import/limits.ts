/** Further names a head may carry for a field, besides its titles in all languages. */
export const otherNames: Record<string, readonly string[]> = {
  code: ["DU", "DU code", "DU编码", "DU No", "DU号"],
  name: ["DU description", "name", "名称", "名前", "名"],
  region: ["region", "area", "borough", "district", "区域", "大区", "片区", "地域", "リージョン"],
  networkRegion: ["network area", "网络区", "ネットワークエリア"],
  subcontractor: ["subcon", "contractor", "vendor", "分包", "委託先"],
  productType: ["type", "类型", "タイプ", "種別"],
  flow: ["flow", "流程", "工作流", "フロー"],
  owner: ["owner", "responsible", "负责人", "責任人", "担当", "担当者"],
  siteCode: ["site ID", "site", "site code", "站点", "站点ID", "站点编码", "サイト", "サイトID"],
  siteName: ["site name", "站点名称", "サイト名"],
  siteNumber: ["site no", "site number"],
  province: ["state", "county", "省", "県"],
  city: ["city", "市", "都市"],
  address: ["street address", "street", "详细地址", "所在地"],
  postCode: ["postcode", "postal code", "zip", "zip code", "邮政编码", "郵便"],
  longitude: ["lon", "lng", "long", "x"],
  latitude: ["lat", "y"],
};

/** Fields of an activity that can be imported. */
export const planTargets = ["planStart", "planEnd", "actualStart", "actualEnd", "planOwner", "actualOwner"] as const;
export type PlanTarget = (typeof planTargets)[number];

/** Further words for them after the name of an activity: "Installation complete". */
export const otherPlanNames: Record<PlanTarget, readonly string[]> = {
  planStart: ["planned start", "plan start date", "planned start date"],
  planEnd: ["planned end", "plan end date", "planned end date", "due", "due date", "plan", "计划", "計画"],
  actualStart: ["started", "start date", "actual start date", "开始", "着手"],
  actualEnd: [
    "complete",
    "completed",
    "completion",
    "complete date",
    "completion date",
    "finished",
    "done",
    "actual",
    "actual end date",
    "完成",
    "完了",
    "实际",
    "実績",
  ],
  planOwner: ["owner", "负责人", "担当者"],
  actualOwner: ["done by", "执行人"],
};

/** Fields whose value names something else: where the name is kept, and the column of the DU. */
export const namedFields = {
  region: "regionId",
  subcontractor: "subcontractorId",
  directMigrationSite: "directMigrationSiteId",
  decomSite: "decomSiteId",
} as const;
export type NamedField = keyof typeof namedFields;

/** Owners one cell may hold. */
export const ownersMax = 20;
export const regionNameChars = 100;
