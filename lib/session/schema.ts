import { z } from "zod";
import { locales } from "#lib/core/locale.ts";
import { checkedRightChars, checkedRights, directoryKeyChars, directoryPageMax, projectPageMax, settingIdChars } from "./limits.ts";

export const ProjectNumber = z.string().regex(/^[A-Za-z0-9_-]{1,40}$/);
/** Any text: that a number can be no project is said by its own refusal. */
export const EnterProject = z.object({ projectNumber: z.string().min(1).max(100) });
export const CrossBorderConfirm = z.object({ projectNumber: ProjectNumber, approved: z.literal(true) });
export const ProjectList = z.object({
  keyword: z.string().max(200).optional(),
  closed: z.literal(true).optional(),
  page: z.int().min(1).default(1),
  size: z.int().min(1).max(projectPageMax).default(50),
});
export const SaveSetting = z
  .object({
    settingId: z.string().trim().min(1).max(settingIdChars),
    value: z.json(),
    projectScoped: z.boolean().default(false),
    projectNumber: ProjectNumber.optional(),
  })
  .refine(({ projectScoped, projectNumber }) => !projectScoped || projectNumber !== undefined, {
    path: ["projectNumber"],
    params: { code: "VALUE_MISSING" },
  });
export const SettingId = z.object({ settingId: z.string().min(1).max(settingIdChars) });
export const FindSettings = z.object({ settingIds: z.array(z.string().max(settingIdChars)).max(200).optional() });
export const SearchDirectory = z.object({
  searchKey: z.string().trim().min(directoryKeyChars).max(100),
  page: z.int().min(1).default(1),
  size: z.int().min(1).max(directoryPageMax).default(20),
});
const RightCodes = z.array(z.string().max(checkedRightChars)).max(checkedRights);
/** Codes to check, as `{codes}` or as a bare list. */
export const PermissionCheck = z
  .union([RightCodes, z.object({ codes: RightCodes })])
  .transform((given) => (Array.isArray(given) ? given : given.codes));
export const NoticeKey = z.object({ noticeKey: z.string().min(1).max(100) });
export const ResetNotices = z.object({ noticeKeys: z.array(z.string().max(100)).min(1).max(500).optional() });
export const SetLanguage = z.object({ lang: z.enum(locales) });
export const Empty = z.object({});
