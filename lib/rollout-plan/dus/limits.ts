/** DUs or sites one call may change. OPS-19 */
export const savedRowsMax = 200;

export const workTypes = ["install", "dismantle"] as const;
/** RPL-11 */
export const valueUnits = ["KM", "M", "Household", "Set"] as const;
export const siteStatuses = ["active", "disabled"] as const;

/** Longest text of each field, in characters; the same as the columns of the tables. */
export const duChars = {
  code: 60,
  name: 200,
  projectCode: 60,
  subProjectCode: 60,
  deliveryType: 40,
  acceptance: 60,
  poCompletenessNo: 60,
  deliveryKey: 80,
  deliveryBatchNo: 80,
  productType: 80,
  productLine: 80,
  scenarioType: 80,
  rruIcsScene: 80,
  rfcNumber: 60,
  hwContractNumber: 60,
  completenessType: 60,
  networkElementId: 80,
} as const;
export const siteChars = {
  code: 60,
  name: 200,
  siteNumber: 60,
  country: 80,
  province: 80,
  city: 80,
  town: 80,
  address: 2000,
  postCode: 20,
  stateId: 40,
  stateName: 80,
  siteScenario: 60,
} as const;

/** RPL-24, as the bounds of a quantity: a priority is a whole one. */
export const priorityMax = 99_999_999;
/** RPL-24 */
export const quantityMin = 0.01;
export const quantityMax = 99_999_999.99;
export const quantityDecimals = 2;
export const longitudeMax = 180;
export const latitudeMax = 90;
/** Decimals of a coordinate (about 10 cm). */
export const coordinateDecimals = 6;
