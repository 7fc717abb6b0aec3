"use client";
import { Button } from "@mantine/core";
import { IconCalculator, IconChecklist, IconPlus, IconRoute } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { toast } from "#components/ui/toast.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf, refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor, listAddress } from "#lib/core/call-door.ts";
import type { Page } from "#lib/core/paging.ts";
import type { BlockStatus, InputCheck } from "#lib/planning-engine/input-check/queries.ts";
import type { StartRun } from "#lib/planning-engine/runs/schema.ts";
import type { EngineVersion } from "#lib/planning-engine/versions/queries.ts";
import { CheckPanel } from "./check-panel.tsx";
import classes from "./home.module.css";
import { InputTiles } from "./input-tiles.tsx";
import { keepVersion } from "./open-version.ts";
import { ReplanDialog } from "./replan-dialog.tsx";
import { RunPanel } from "./run-panel.tsx";
import { SettingsDialog } from "./settings-dialog.tsx";
import { useInventorySync } from "./use-inventory-sync.ts";
import { useRun } from "./use-run.ts";
import { useVersion } from "./use-version.ts";
import { VersionDialog, type VersionForm } from "./version-dialog.tsx";
import { VersionTable, type VersionVerb, versionsAddress } from "./version-table.tsx";

type Open =
  | { dialog: "form"; form: VersionForm; clear?: () => void }
  | { dialog: "delete"; versions: EngineVersion[]; clear: () => void }
  | { dialog: "settings" | "replan" }
  | null;

/** Plan versions of the engine, the inputs of the open one, and its runs. [ENG-02] */
export function EngineHomePage({ version: first, hasExact }: { version: EngineVersion | null; hasExact: boolean }) {
  const t = useTranslations("engine-home");
  const project = useProjectNumber();
  const href = useHref();
  const client = useQueryClient();
  const { can } = useSession();
  const [openId, setOpenId] = useState(first?.id ?? null);
  const [open, setOpen] = useState<Open>(null);
  const [check, setCheck] = useState<{ versionId: number; found: InputCheck } | null>(null);
  const [busy, setBusy] = useState<"check" | "run" | null>(null);
  const { version, reading } = useVersion(openId, first);
  const status = useQuery({
    queryKey: ["engine status", project, openId],
    enabled: openId !== null,
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<{ blocks: BlockStatus[] }>("engine/input/status", { versionId: openId }, { signal })).blocks,
  });
  const refresh = async () => {
    await Promise.all([
      refreshList(client, versionsAddress),
      client.invalidateQueries({ queryKey: ["engine version", project] }),
      client.invalidateQueries({ queryKey: ["engine status", project] }),
    ]);
  };
  const run = useRun(openId, () => void refresh());
  const sync = useInventorySync(openId, () => void refresh());
  const close = () => setOpen(null);
  const show = (id: number | null) => {
    setOpenId(id);
    setCheck(null);
    if (id !== null) void keepVersion(project, id);
  };

  const runCheck = async () => {
    setBusy("check");
    const answer = signalAnswer(await callDoor<InputCheck>("engine/input/check", { versionId: openId }, { reading: true }));
    setBusy(null);
    if (answer.data && openId !== null) setCheck({ versionId: openId, found: answer.data });
    else toast.problem(answer.msg ?? t("check.failed"));
    await status.refetch();
  };
  /** Starts a run; gives why not, or undefined. */
  const start = async (plan: Partial<StartRun>): Promise<string | undefined> => {
    setBusy("run");
    const answer = signalAnswer(
      await callDoor<{ errors?: InputCheck["errors"] }>("engine/executeEngine/plan", { versionId: openId, ...plan }),
    );
    setBusy(null);
    if (answer.status < 400) {
      setCheck(null);
      await Promise.all([refresh(), run.refresh()]);
      return undefined;
    }
    if (answer.code === "INPUT_CHECK") void runCheck();
    return answer.problems?.[0]?.msg ?? answer.msg ?? t("run.failed");
  };
  const calculate = async () => {
    const wrong = await start({});
    if (wrong !== undefined) toast.problem(wrong);
  };
  const onVerb = async (verb: VersionVerb, versions: EngineVersion[], clear: () => void) => {
    const [version] = versions;
    if (!version) return;
    if (verb === "delete") return setOpen({ dialog: "delete", versions, clear });
    if (verb !== "setCurrent") return setOpen({ dialog: "form", form: { verb, version }, clear });
    const answer = signalAnswer(await callDoor("engine/version/setCurrent", { id: version.id }));
    if (answer.status >= 400) toast.problem(answer.msg ?? t("saving.failed"));
    else toast.done(t("version.nowCurrent", { name: version.versionName }));
    clear();
    await refresh();
  };
  const remove = async (versions: readonly EngineVersion[], clear: () => void) => {
    const ids = versions.map(({ id }) => id);
    const answer = signalAnswer(await callDoor("engine/version/delete", { ids }));
    if (answer.status >= 400) return void toast.problem(answer.problems?.[0]?.msg ?? answer.msg ?? t("deleting.failed"));
    toast.done(t("version.deleted", { count: ids.length }));
    clear();
    if (openId !== null && ids.includes(openId)) {
      // The current version is never deleted.
      const left = signalAnswer(await callDoor<Page<EngineVersion>>(listAddress(versionsAddress, 1, 20), {}, { reading: true }));
      if (left.status >= 400) toast.problem(left.msg ?? t("version.failed"));
      const { data } = left;
      show((data?.records.find(({ isCurrent }) => isCurrent) ?? data?.records[0])?.id ?? null);
    }
    await refresh();
  };
  const isCalculating = version?.status === "calculating" || run.head?.status === "executing";
  const mayEdit = can("engine.edit") && !isCalculating;
  const form = (form: VersionForm) => setOpen({ dialog: "form", form });
  const mayMake = can("engine.edit");
  const hasSide = version !== null || reading.isLoading || reading.isError;
  return (
    <>
      <PageBar {...(version && { record: version.versionName })}>
        {mayMake ? (
          <Button leftSection={<IconPlus size={16} stroke={1.4} />} onClick={() => form({ verb: "new" })}>
            {t("version.new")}
          </Button>
        ) : null}
        {version ? (
          <>
            <LinkButton href={href("engineOutput", { query: { versionId: version.id } })}>{t("run.output")}</LinkButton>
            <Button leftSection={<IconChecklist size={16} stroke={1.4} />} loading={busy === "check"} onClick={() => void runCheck()}>
              {t("check.verb")}
            </Button>
            {can("engine.run") ? (
              <>
                <Button
                  leftSection={<IconRoute size={16} stroke={1.4} />}
                  disabled={isCalculating}
                  title={isCalculating ? t("run.already") : undefined}
                  onClick={() => setOpen({ dialog: "replan" })}
                >
                  {t("replan.title")}
                </Button>
                <Button
                  variant="filled"
                  leftSection={<IconCalculator size={16} stroke={1.4} />}
                  loading={busy === "run"}
                  disabled={isCalculating}
                  title={isCalculating ? t("run.already") : undefined}
                  onClick={() => void calculate()}
                >
                  {t("run.verb")}
                </Button>
              </>
            ) : null}
          </>
        ) : null}
      </PageBar>
      <div className={classes.page} data-empty={hasSide ? undefined : true}>
        <div className={classes.main}>
          <VersionTable
            openId={openId}
            onOpen={(row) => show(row.id)}
            onRun={(verb, rows, clear) => void onVerb(verb, rows, clear)}
            empty={
              <EmptyState title={t("version.empty")} text={mayMake ? t("version.emptyText") : t("version.emptyRead")}>
                {mayMake ? (
                  <>
                    <Button onClick={() => form({ verb: "new" })}>{t("version.new")}</Button>
                    <Button variant="filled" onClick={() => form({ verb: "plan" })}>
                      {t("version.fromPlan")}
                    </Button>
                  </>
                ) : null}
              </EmptyState>
            }
          />
          {version && run.head ? (
            <RunPanel
              key={run.head.id}
              head={run.head}
              progress={run.progress}
              history={run.history}
              onChanged={() => void run.refresh()}
            />
          ) : version && run.failed ? (
            <section className={classes.run} aria-label={t("run.label")}>
              <ErrorPanel title={t("run.unread")} failed={run.failed} onRetry={() => void run.refresh()} />
            </section>
          ) : null}
        </div>
        {version ? (
          <aside className={classes.side} aria-label={version.versionName}>
            {status.data ? (
              <InputTiles
                versionId={version.id}
                blocks={status.data}
                sync={sync.status}
                onReadSync={sync.readAgain}
                mayEdit={mayEdit}
                onSettings={() => setOpen({ dialog: "settings" })}
                onSync={() => void sync.start()}
                syncing={sync.starting}
              />
            ) : status.isError ? (
              <ErrorPanel title={t("tiles.failed")} failed={status.error} onRetry={() => status.refetch()} />
            ) : (
              <div className={classes.wait} aria-busy="true" />
            )}
            {check?.versionId === version.id ? (
              <CheckPanel versionId={version.id} check={check.found} onSettings={() => setOpen({ dialog: "settings" })} />
            ) : null}
          </aside>
        ) : hasSide ? (
          <aside className={classes.side} aria-label={t("version.open")} aria-busy={reading.isLoading}>
            {reading.isError ? <ErrorPanel title={t("version.failed")} failed={reading.error} onRetry={() => reading.refetch()} /> : null}
          </aside>
        ) : null}
      </div>
      {open?.dialog === "form" ? (
        <VersionDialog
          form={open.form}
          onDone={(id) => {
            open.clear?.();
            if (open.form.verb !== "rename") show(id);
            void refresh();
          }}
          onClose={close}
        />
      ) : null}
      {open?.dialog === "delete" ? (
        <Confirm
          opened
          verb={t("version.delete", { count: open.versions.length })}
          danger
          onConfirm={() => remove(open.versions, open.clear)}
          onClose={close}
        >
          {t("version.deleteText", { names: open.versions.map(({ versionName }) => versionName).join(", ") })}
        </Confirm>
      ) : null}
      {open?.dialog === "settings" && version ? (
        <SettingsDialog version={version} mayEdit={mayEdit} hasExact={hasExact} onSaved={() => void refresh()} onClose={close} />
      ) : null}
      {open?.dialog === "replan" && version ? <ReplanDialog versionId={version.id} onStart={start} onClose={close} /> : null}
    </>
  );
}
