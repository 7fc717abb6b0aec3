import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { noticesPerCall } from "./limits.ts";

export const NoticeListInput = listInput({ unread: ["eq"] }, { sortable: [] });

/** Without ids every notice of the person is read. */
export const ReadNotices = z.object({ ids: z.array(z.int().min(1)).min(1).max(noticesPerCall).optional() });
