import { z } from "zod";
import { isIsoDay } from "#lib/core/clock.ts";
import { numberFault } from "#lib/core/number-fault.ts";
import { listInput } from "#lib/core/paging.ts";
import {
  activityAnchorChars,
  azimuthMax,
  clusteringRateMin,
  currencies,
  directions,
  engineDescriptionChars,
  engineVersionNameChars,
  engineVersionsPerCall,
  evaluationLimitMax,
  gapPolicies,
  horizonDaysMax,
  islandsMax,
  rateDecimals,
  rateMax,
  timeBudgetSecondsMax,
  versionSources,
  wholeNumberMax,
} from "./limits.ts";

const id = z.int().min(1);
const text = () => z.string().refine((given) => given.isWellFormed() && !given.includes("\0"), { params: { code: "VALUE_FORMAT" } });
const name = text()
  .trim()
  .refine((given) => given !== "", { params: { code: "NAME_REQUIRED" } })
  .refine((given) => [...given].length <= engineVersionNameChars, { params: { code: "NAME_TOO_LONG", max: engineVersionNameChars } });
const description = text().trim().max(engineDescriptionChars).nullish();

export const ListEngineVersions = listInput(
  { search: ["like"], status: ["in"], source: ["in"], id: ["eq"] },
  { sortable: ["versionName", "status", "createdAt"] },
);

/** A new version, or another description of one. */
export const SaveEngineVersion = z.union([
  z.strictObject({ versionName: name, description, source: z.enum(versionSources).default("page_input") }),
  z.strictObject({ id, rowVersion: z.int().min(1), description }),
]);
export type SaveEngineVersion = z.output<typeof SaveEngineVersion>;

export const CopyEngineVersion = z.strictObject({ fromVersionId: id, versionName: name, description });
export type CopyEngineVersion = z.output<typeof CopyEngineVersion>;

export const RenameEngineVersion = z.strictObject({ id, rowVersion: z.int().min(1), versionName: name });
export type RenameEngineVersion = z.output<typeof RenameEngineVersion>;

export const SetCurrentVersion = z.strictObject({ id });

export const DeleteEngineVersions = z.strictObject({
  ids: z
    .array(id)
    .min(1)
    .max(engineVersionsPerCall)
    .transform((given) => [...new Set(given)]),
});

/** A whole number inside bounds. */
const whole = (min: number, max: number) =>
  z.number().superRefine((given, context) => {
    const fault = numberFault(given, { min, max, decimals: 0 });
    if (fault) context.addIssue({ code: "custom", params: { code: fault.code, ...fault.params } });
  });

/** A rate with its own refusal, which names it. */
export const rateOf = (rate: "clustering" | "damage" | "reuse" | "buffer") => {
  const bounds = { min: rate === "clustering" ? clusteringRateMin : 0, max: rateMax, decimals: rateDecimals };
  return z.number().refine((given) => numberFault(given, bounds) === null, { params: { code: "ENGINE_RATE_RANGE", rate, ...bounds } });
};

export const FindEngineSetting = z.strictObject({ versionId: id });

/** How a version is to be calculated. [ENG-09] */
export const SaveEngineSetting = z
  .strictObject({
    versionId: id,
    /** 0 while nothing is stored. */
    rowVersion: z.int().min(0).default(0),
    direction: z.enum(directions).default("forward"),
    planStartDate: z.string().refine(isIsoDay, { params: { code: "DATE_FORMAT" } }),
    horizonDays: whole(1, horizonDaysMax).default(horizonDaysMax),
    sortByRfi: z.boolean().default(false),
    enableEomonth: z.boolean().default(false),
    enableCluster: z.boolean().default(false),
    clusteringRate: rateOf("clustering").nullish(),
    damageRate: rateOf("damage").default(0),
    reuseRate: rateOf("reuse").default(1),
    bufferRate: rateOf("buffer").default(0),
    maxClusterCutover: whole(1, wholeNumberMax).nullish(),
    activityAnchor: text().trim().max(activityAnchorChars).nullish(),
    targetAzimuth: z
      .number()
      .refine((given) => numberFault(given, { min: 0, max: azimuthMax, decimals: 0 }) === null, {
        params: { code: "AZIMUTH_RANGE", min: 0, max: azimuthMax },
      })
      .nullish(),
    gapPolicy: z.enum(gapPolicies).default("flag"),
    currency: z.enum(currencies).default("USD"),
    evaluationLimit: whole(1, evaluationLimitMax).default(20_000),
    timeBudgetS: whole(1, timeBudgetSecondsMax).default(60),
    seed: whole(0, wholeNumberMax).default(1),
    islands: whole(1, islandsMax).default(1),
    useExact: z.boolean().default(false),
  })
  .superRefine((given, context) => {
    const missing = (field: string) => context.addIssue({ code: "custom", path: [field], params: { code: "VALUE_MISSING" } });
    if (given.enableCluster && given.clusteringRate == null) missing("clusteringRate");
    if (given.enableCluster && !given.activityAnchor) missing("activityAnchor");
  });
export type SaveEngineSetting = z.output<typeof SaveEngineSetting>;
