import { z } from "zod";
import { isIsoDay } from "#lib/core/clock.ts";
import { listInput } from "#lib/core/paging.ts";
import {
  candidatesMax,
  distributionFiltersMax,
  distributionsPerCall,
  filterValuesMax,
  messageChars,
  recipientsMax,
  shownDusMax,
} from "./limits.ts";

const id = z.int().min(1);

/** Somebody a plan is sent to: exactly one of member, company and address. */
const recipient = z
  .strictObject({ userId: id.optional(), subcontractorId: id.optional(), email: z.string().trim().max(254).optional() })
  .refine((given) => Object.values(given).filter((value) => value !== undefined && value !== "").length === 1, {
    params: { code: "NO_RECIPIENT" },
  });
export type Recipient = z.output<typeof recipient>;

/** Which DUs of the version are told: by text in code or name, by region, by company. Without a filter all. */
export const DistributionFilters = z
  .array(
    z.discriminatedUnion("field", [
      z.strictObject({ field: z.literal("search"), type: z.literal("like"), values: z.tuple([z.string().trim().min(1).max(200)]) }),
      z.strictObject({ field: z.literal("regionId"), type: z.literal("in"), values: z.array(id).min(1).max(filterValuesMax) }),
      z.strictObject({ field: z.literal("subcontractorId"), type: z.literal("in"), values: z.array(id).min(1).max(filterValuesMax) }),
    ]),
  )
  .max(distributionFiltersMax)
  .default([]);
export type DistributionFilters = z.output<typeof DistributionFilters>;

const chosen = {
  versionId: id,
  recipients: z
    .array(recipient)
    .refine((given) => given.length > 0, { params: { code: "NO_RECIPIENT" } })
    .refine((given) => given.length <= recipientsMax, { params: { code: "TOO_MANY", max: recipientsMax } }),
  filters: DistributionFilters,
};

/** What each recipient would be told, before anything is sent. */
export const CountRecipients = z.strictObject(chosen);
export type CountRecipients = z.output<typeof CountRecipients>;

export const SendDistribution = z.strictObject({
  ...chosen,
  dueDate: z
    .string()
    .refine(isIsoDay, { params: { code: "DATE_FORMAT" } })
    .nullish(),
  message: z.string().trim().max(messageChars).nullish(),
});
export type SendDistribution = z.output<typeof SendDistribution>;

export const FindRecipients = z.strictObject({
  q: z.string().trim().max(100).default(""),
  size: id.max(candidatesMax).default(candidatesMax),
});

export const ListDistributions = listInput(
  { search: ["like"], versionId: ["eq"], status: ["eq", "in"], id: ["eq"] },
  { sortable: ["sentAt", "dueDate", "status"] },
);

const ids = z
  .array(id)
  .min(1)
  .refine((given) => given.length <= distributionsPerCall, { params: { code: "TOO_MANY", max: distributionsPerCall } })
  .transform((given) => [...new Set(given)]);
export const DistributionIds = z.strictObject({ ids });

export const DistributionId = z.strictObject({ id });
/** DUs of a distributed plan, so many at a time. */
export const ListDistributedRows = z.strictObject({
  id,
  page: z.int().min(1).max(1_000_000).default(1),
  size: id.max(shownDusMax).default(20),
});
export type ListDistributedRows = z.output<typeof ListDistributedRows>;

/** What the task keeps that writes to addresses outside. */
export const DistributeParams = z.strictObject({ ids: z.array(id) });
export type DistributeParams = z.output<typeof DistributeParams>;
