"use server";
import { action } from "#lib/core/action.ts";
import { listSuffix } from "#lib/core/paging.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import * as schema from "./schema.ts";

export const listNotices = action({
  address: `notice/${listSuffix}`,
  kind: "read",
  needs: "project.enter",
  input: schema.NoticeListInput,
  run: queries.listNotices,
});
export const readNotices = action({
  address: "notice/read",
  needs: "project.enter",
  input: schema.ReadNotices,
  onClosed: true,
  run: commands.readNotices,
});
