import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import {
  assignDusMax,
  clusterColors,
  clusterNameChars,
  deleteClustersMax,
  outlinePointsMax,
  outlinePointsMin,
  rateKinds,
  wholeMax,
} from "./limits.ts";
import { rateFault } from "./logic.ts";

const id = z.int().min(1);
const priority = z
  .int()
  .refine((given) => given > 0, { params: { code: "PRIORITY_POSITIVE" } })
  .refine((given) => given <= wholeMax, { params: { code: "VALUE_TOO_LARGE", max: wholeMax } });

export const ListClusters = listInput(
  { name: ["like"], region: ["in"], priority: ["range"], id: ["in"] },
  { sortable: ["name", "priority", "region"] },
);

/** A point of a drawn outline: degrees of longitude and latitude. */
const point = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]);

/** A new cluster or a changed one, which names its id and the revision it was read at. [MDV-07] */
export const SaveCluster = z
  .strictObject({
    id: id.optional(),
    rowVersion: z.int().min(1).optional(),
    name: z
      .string()
      .trim()
      .refine((name) => name !== "", { params: { code: "NAME_REQUIRED" } })
      .refine((name) => [...name].length <= clusterNameChars, { params: { code: "NAME_TOO_LONG", max: clusterNameChars } }),
    regionId: id.nullish(),
    priority,
    rateKind: z.enum(rateKinds).default("integer"),
    completionRate: z.number().default(0),
    cutoverActivityId: id.nullish(),
    maxCutoverQty: z.int().min(1).max(wholeMax).nullish(),
    polygon: z.array(point).min(outlinePointsMin).max(outlinePointsMax).nullish(),
    color: z.enum(clusterColors).default("c1"),
  })
  .superRefine((given, context) => {
    const fault = rateFault(given.rateKind, given.completionRate);
    if (fault) context.addIssue({ code: "custom", path: ["completionRate"], params: { code: "RATE_RANGE", ...fault } });
    if (given.id !== undefined && given.rowVersion === undefined)
      context.addIssue({ code: "custom", path: ["rowVersion"], params: { code: "VALUE_MISSING" } });
  });
export type SaveCluster = z.output<typeof SaveCluster>;

export const DeleteClusters = z.strictObject({
  ids: z
    .array(id)
    .min(1)
    .max(deleteClustersMax)
    .transform((given) => [...new Set(given)]),
  /** Takes the DUs out of the clusters first. */
  removeDus: z.boolean().default(false),
});
export type DeleteClusters = z.output<typeof DeleteClusters>;

/** Puts DUs into a cluster or, with null, into none; gives them a priority inside it, or takes it away. */
export const AssignDus = z
  .strictObject({
    duIds: z
      .array(id)
      .min(1)
      .refine((given) => given.length <= assignDusMax, { params: { code: "TOO_MANY_DU", max: assignDusMax } })
      .transform((given) => [...new Set(given)]),
    clusterId: id.nullable().optional(),
    priority: priority.nullable().optional(),
  })
  .refine((given) => given.clusterId !== undefined || given.priority !== undefined, {
    path: ["clusterId"],
    params: { code: "VALUE_MISSING" },
  });
export type AssignDus = z.output<typeof AssignDus>;

export const ViewClusters = z.strictObject({
  clusterIds: z.array(id).max(deleteClustersMax).optional(),
  regionIds: z.array(id).max(500).optional(),
});
export type ViewClusters = z.output<typeof ViewClusters>;
