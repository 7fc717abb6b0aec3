import { notFound } from "next/navigation";
import { DuSheet } from "#components/dus/du-sheet.tsx";
import { SiteSheet } from "#components/dus/site-sheet.tsx";
import { CellHistoryPage } from "#components/rollout-plan/cell-history-page.tsx";
import { DialogMissing } from "#components/session/dialog-missing.tsx";
import { TaskResult } from "#components/tasks/task-result.tsx";
import { AppError } from "#lib/core/error.ts";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { findDu } from "#lib/rollout-plan/dus/queries.ts";
import { getSiteInfo } from "#lib/rollout-plan/queries.ts";

type Query = Record<string, string | string[] | undefined>;
type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<Query> };

/** One dialog on its own, for links from mails and other systems: `?type=siteInfo&id=7`; `id` of a cell is `du`, or `du.activity`, with `field`. */
export default async function Page({ params, searchParams }: Props) {
  const { ctx } = await openScreen("dialog", decodeOnce((await params).projectNumber));
  const { type, id, field } = await searchParams;
  if (type === undefined) return <DialogMissing />;
  if (typeof type !== "string" || typeof id !== "string") notFound();
  if (type === "taskResult" && /^[0-9a-f-]{36}$/i.test(id)) return <TaskResult id={id} />;
  const found = /^([1-9]\d{0,14})(?:\.([1-9]\d{0,14}))?$/.exec(id);
  if (!found || !ctx.can("rollout.view")) notFound();
  const key = Number(found[1]);
  if (type === "siteInfo") {
    const site = await getSiteInfo(ctx, { id: key, of: "site" }).catch((error: unknown) =>
      error instanceof AppError ? null : Promise.reject(error),
    );
    return site ? <SiteSheet site={site} /> : notFound();
  }
  const du = type === "duDetail" || type === "cellHistory" ? await findDu(ctx, key) : null;
  if (!du) notFound();
  if (type === "duDetail") return <DuSheet du={du} />;
  const name = typeof field === "string" && /^[A-Za-z]\w{0,59}$/.test(field) ? field : notFound();
  return <CellHistoryPage duId={du.id} activityId={found[2] ? Number(found[2]) : null} field={name} place={`${du.code} · ${name}`} />;
}
