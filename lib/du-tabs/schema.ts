import { z } from "zod";
import { roles } from "#lib/permissions.ts";
import {
  keyModes,
  searchedDusMax,
  searchedSnsMax,
  snChars,
  sortMax,
  sortMin,
  tabModes,
  tabNameChars,
  tabsPerCall,
  tabUsersMax,
} from "./limits.ts";

const id = z.int().min(1);
const text = () => z.string().refine((given) => given.isWellFormed() && !given.includes("\0"), { params: { code: "VALUE_FORMAT" } });
const distinct = <T>(given: T[]) => [...new Set(given)];

export const ListTabs = z.strictObject({});
export const TabOf = z.strictObject({ tabId: id });
export type TabOf = z.output<typeof TabOf>;

/** A tab; a change names the id and the revision it was read at. */
export const SaveTab = z
  .strictObject({
    id: id.optional(),
    name: text()
      .trim()
      .refine((given) => given !== "", { params: { code: "NAME_REQUIRED" } })
      .refine((given) => [...given].length <= tabNameChars, { params: { code: "NAME_TOO_LONG", max: tabNameChars } }),
    keyMode: z.enum(keyModes),
    sortNo: z.int().min(sortMin).max(sortMax).default(sortMin),
    brazilOnly: z.boolean().default(false),
    rowVersion: z.int().min(1).optional(),
  })
  .superRefine((given, context) => {
    if (given.id !== undefined && given.rowVersion === undefined)
      context.addIssue({ code: "custom", path: ["rowVersion"], params: { code: "VALUE_MISSING" } });
  });
export type SaveTab = z.output<typeof SaveTab>;

export const TabIds = z.strictObject({ ids: z.array(id).min(1).max(tabsPerCall).transform(distinct) });
export type TabIds = z.output<typeof TabIds>;

/** Serial numbers of DUs, looked for by either. */
export const FindSns = z.strictObject({
  tabId: id,
  duIds: z
    .array(id)
    .refine((given) => given.length <= searchedDusMax, { params: { code: "TOO_MANY_DU", max: searchedDusMax } })
    .default([]),
  sns: z
    .array(text().trim().min(1).max(snChars))
    .refine((given) => given.length <= searchedSnsMax, { params: { code: "SEARCH_TOO_MANY", max: searchedSnsMax } })
    .default([]),
});
export type FindSns = z.output<typeof FindSns>;

/** Either an account or a role, each once. */
const TabUsers = z
  .array(
    z
      .strictObject({ account: text().trim().min(1).max(200).optional(), role: z.enum(roles).optional(), mode: z.enum(tabModes) })
      .refine((given) => (given.account === undefined) !== (given.role === undefined), {
        path: ["account"],
        params: { code: "VALUE_MISSING" },
      }),
  )
  .max(tabUsersMax)
  .superRefine((given, context) => {
    const seen = new Set<string>();
    given.forEach(({ account, role }, index) => {
      const key = account === undefined ? `role ${role}` : account.toLowerCase();
      if (seen.has(key)) context.addIssue({ code: "custom", path: [index], params: { code: "VALUE_REPEATED" } });
      seen.add(key);
    });
  });

/** Everybody a tab is to name, and whom it named when that was read. */
export const SaveTabUsers = z.strictObject({ tabId: id, users: TabUsers, base: TabUsers });
export type SaveTabUsers = z.output<typeof SaveTabUsers>;
