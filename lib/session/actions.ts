"use server";
import { action } from "#lib/core/action.ts";
import { localeCookie, localeCookieSeconds } from "#lib/core/locale.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import * as schema from "./schema.ts";

/** Why a project cannot be reached. */
const unreached = [
  "PROJECT_INVALID",
  "NOT_AUTHORISED_FOR_PROJECT",
  "DPA_EXPIRED",
  "NO_DATACENTER",
  "CROSS_BORDER_FORBIDDEN",
  "CROSS_BORDER_INTERNAL",
] as const;

export const bootstrap = action({
  address: "session/bootstrap",
  method: "GET",
  needs: "signedIn",
  input: schema.EnterProject,
  errors: [...unreached, "CROSS_BORDER_CONFIRM"],
  run: (ctx, input) => commands.enterProject(ctx, input.projectNumber),
});
export const rebuild = action({
  address: "session/rebuild",
  needs: "signedIn",
  input: schema.EnterProject,
  errors: [...unreached, "CROSS_BORDER_CONFIRM"],
  run: (ctx, input) => commands.enterProject(ctx, input.projectNumber),
});
export const crossBorderConfirm = action({
  address: "session/crossBorderConfirm",
  needs: "signedIn",
  input: schema.CrossBorderConfirm,
  errors: unreached,
  run: (ctx, input) => commands.confirmCrossBorder(ctx, input.projectNumber),
});
export const updateSession = action({
  address: "sso/updateSession",
  method: "GET",
  kind: "read",
  needs: "signedIn",
  input: schema.Empty,
  run: (ctx) => commands.keepAlive(ctx),
});
export const getProjectList = action({
  address: "personal/getProjectList/list",
  kind: "read",
  needs: "signedIn",
  input: schema.ProjectList,
  run: async (ctx, input) => ({
    ...(await queries.listProjects(ctx.sql, ctx.user.id, ctx.now, input)),
    current: await queries.findCurrentProject(ctx.sql, ctx.user.id, ctx.sid, ctx.now),
  }),
});
export const setDefaultProject = action({
  address: "personal/setDefaultProject",
  needs: "signedIn",
  input: schema.EnterProject,
  errors: ["NOT_FOUND"],
  run: (ctx, input) => commands.setDefaultProject(ctx, input.projectNumber),
});
export const saveUserSetting = action({
  address: "userSetting/saveUserSetting",
  needs: "signedIn",
  input: schema.SaveSetting,
  errors: ["SETTING_TOO_LARGE", "NOT_FOUND"],
  run: (ctx, input) =>
    commands.saveSetting(ctx, {
      settingId: input.settingId,
      value: input.value,
      projectNumber: input.projectScoped ? (input.projectNumber ?? null) : null,
    }),
});
export const deleteUserSetting = action({
  address: "userSetting/deleteUserSetting/{settingId}",
  needs: "signedIn",
  input: schema.SettingId,
  errors: ["NOT_FOUND"],
  run: (ctx, input) => commands.deleteSetting(ctx, input.settingId),
});
export const findUserSetting = action({
  address: "userSetting/findUserSetting",
  kind: "read",
  needs: "signedIn",
  input: schema.FindSettings,
  run: (ctx, input) => queries.listSettings(ctx, input.settingIds),
});
export const searchDirectory = action({
  address: "user/searchDirectory",
  kind: "read",
  needs: "signedIn",
  input: schema.SearchDirectory,
  run: (ctx, input) => queries.listDirectory(ctx, input),
});
export const findTimeZone = action({
  address: "timeZone/findByProjectId/{projectNumber}",
  method: "GET",
  kind: "read",
  needs: "signedIn",
  input: schema.EnterProject,
  errors: [...unreached, "CROSS_BORDER_CONFIRM"],
  run: (ctx, input) => queries.getTimeZone(ctx, input.projectNumber),
});
export const checkUserPermission = action({
  address: "portal/userPermission/checkUserPermission",
  kind: "read",
  needs: "signedIn",
  input: schema.PermissionCheck,
  run: (ctx, input) => queries.checkPermissions(ctx, input),
});
export const acknowledgeNotice = action({
  address: "notice/ack",
  needs: "signedIn",
  input: schema.NoticeKey,
  run: (ctx, input) => commands.acknowledgeNotice(ctx, input.noticeKey),
});
export const listAcknowledged = action({
  address: "notice/ackList",
  kind: "read",
  needs: "signedIn",
  input: schema.Empty,
  run: (ctx) => queries.listAcknowledged(ctx),
});
export const resetNotices = action({
  address: "notice/reset",
  needs: "signedIn",
  input: schema.ResetNotices,
  run: (ctx, input) => commands.resetNotices(ctx, input.noticeKeys),
});
export const setLanguage = action({
  address: "language/set",
  kind: "read",
  needs: "anyone",
  input: schema.SetLanguage,
  cookie: ({ lang }) => ({ name: localeCookie, value: lang, maxAge: localeCookieSeconds }),
  run: async () => ({}),
});
