"use client";
import { Button, Modal } from "@mantine/core";
import { IconDownload, IconTransferIn } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useCallback, useState } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import listFrame from "#components/ui/list-frame.module.css";
import { PageBar } from "#components/ui/page-bar.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { useExport } from "#components/ui/use-export.ts";
import { refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import type { GanttGroup } from "#lib/planning-engine/outputs/limits.ts";
import type { OutputPlan } from "#lib/planning-engine/outputs/schema.ts";
import type { RunHead } from "#lib/planning-engine/runs/schema.ts";
import { ApplyDialog } from "./apply-dialog.tsx";
import { Bones } from "./bones.tsx";
import { DuDrawer } from "./du-drawer.tsx";
import { FinishMap } from "./finish-map.tsx";
import { MovesView } from "./moves-view.tsx";
import classes from "./outputs.module.css";
import { PlanCompare } from "./plan-compare.tsx";
import { PlanGantt } from "./plan-gantt.tsx";
import { PlanTable } from "./plan-table.tsx";
import { RunFactsView } from "./run-facts.tsx";
import { RunFrame } from "./run-frame.tsx";
import { RunLine } from "./run-line.tsx";
import { RunPickers } from "./run-pickers.tsx";
import { TeamLoadView } from "./team-load.tsx";
import { useOutput } from "./use-output.ts";
import { useRunChoice } from "./use-run-choice.ts";

const tabs = ["table", "gantt", "map", "teams", "moves", "compare", "facts"] as const;
type Tab = (typeof tabs)[number];

/** The output plan of a run: who does what when, why, how it differs from the rollout plan, and the way into it. [ENG-03] */
export function OutputPage({ today, styleUrl }: { today: number; styleUrl: string | null }) {
  const t = useTranslations("outputs");
  const { can } = useSession();
  const client = useQueryClient();
  const asked = useSearchParams().get("tab");
  const choice = useRunChoice();
  const { run } = choice;
  const [tab, setTab] = useState<Tab>(tabs.find((name) => name === asked) ?? "table");
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [duId, setDuId] = useState<number | null>(null);
  // What is applied is the run the dialog was opened upon, whatever ends meanwhile.
  const [applied, setApplied] = useState<{ run: RunHead; chosen: readonly number[] } | null>(null);
  const [gantt, setGantt] = useState<{ group: GanttGroup; search: string } | null>(null);
  const [startExport, exporting] = useExport("engine/output/export");
  const open = useCallback((id: number) => setDuId(id), []);
  const hasOutput = run?.hasOutput ?? false;
  const shown = tabs.filter((name) => name !== "moves" || run?.baseRunId != null || run?.basePlan);
  const now: Tab = hasOutput && shown.includes(tab) ? tab : hasOutput ? "table" : "facts";
  return (
    <>
      <PageBar
        tabs={hasOutput ? shown.map((key) => ({ key, label: t(`tab.${key}`) })) : []}
        tab={now}
        onTab={(key) => {
          setGantt(null);
          setTab(key as Tab);
        }}
      >
        {hasOutput && run ? (
          <>
            <Button
              leftSection={<IconDownload size={16} stroke={1.4} />}
              loading={exporting}
              onClick={() => void startExport({ runId: run.id })}
            >
              {t("export")}
            </Button>
            {can("engine.apply") ? (
              <Button variant="filled" leftSection={<IconTransferIn size={16} stroke={1.4} />} onClick={() => setApplied({ run, chosen })}>
                {t("apply.open")}
                {chosen.length > 0 ? <span className={listFrame.number}>{chosen.length}</span> : null}
              </Button>
            ) : null}
          </>
        ) : null}
      </PageBar>
      {choice.version && run ? (
        <div className={classes.state} role="toolbar" aria-label={t("which")}>
          <RunPickers choice={choice} />
          <RunLine run={run} />
        </div>
      ) : null}
      <RunFrame
        choice={choice}
        onNewest={() => {
          if (!choice.newest) return;
          choice.chooseRun(choice.newest.id);
          setTab("facts");
        }}
        failed={(failedRun) => <RunFactsView key={failedRun.id} run={failedRun} onOpenDu={undefined} />}
      >
        {(given) => (
          <div className={`${listFrame.page} ${classes.screen}`} key={given.id}>
            {now === "table" ? <PlanTable runId={given.id} onChosen={setChosen} onOpen={open} /> : null}
            {now === "gantt" ? <PlanGantt runId={given.id} today={today} start={gantt} onOpen={open} /> : null}
            {now === "map" ? <FinishMap runId={given.id} styleUrl={styleUrl} onOpen={open} /> : null}
            {now === "teams" ? (
              <TeamLoadView
                runId={given.id}
                onPool={(search) => {
                  setGantt({ group: "team", search });
                  setTab("gantt");
                }}
              />
            ) : null}
            {now === "moves" ? <MovesView runId={given.id} onOpen={open} /> : null}
            {now === "compare" ? <ComparePart run={given} onOpen={open} /> : null}
            {now === "facts" ? <RunFactsView run={given} onOpenDu={open} /> : null}
          </div>
        )}
      </RunFrame>
      {duId !== null && run ? <DuDrawer runId={run.id} duId={duId} onOpenDu={open} onClose={() => setDuId(null)} /> : null}
      {applied ? (
        <ApplyPart
          {...applied}
          onApplied={() =>
            void Promise.all([refreshList(client, "engine/version/find/list"), client.invalidateQueries({ queryKey: ["output"] })])
          }
          onClose={() => setApplied(null)}
        />
      ) : null}
    </>
  );
}

const overview = (runId: number) => ({ runId, page: 1, size: 10, filters: [] });

function ComparePart({ run, onOpen }: { run: RunHead; onOpen: (duId: number) => void }) {
  const found = useOutput<OutputPlan>("engine/output/find/outputPlan", overview(run.id), { meta: lookup });
  return <PlanCompare runId={run.id} choices={found.data?.choices} onOpen={onOpen} />;
}

type ApplyProps = { run: RunHead; chosen: readonly number[]; onApplied: () => void; onClose: () => void };

function ApplyPart({ run, onClose, ...rest }: ApplyProps) {
  const t = useTranslations("outputs");
  const found = useOutput<OutputPlan>("engine/output/find/outputPlan", overview(run.id));
  if (found.data) return <ApplyDialog run={run} total={found.data.total} onClose={onClose} {...rest} />;
  return (
    <Modal opened onClose={onClose} title={t("apply.open")} size={520} closeButtonProps={{ "aria-label": t("apply.close") }}>
      {found.isError ? <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => void found.refetch()} /> : <Bones rows={4} />}
    </Modal>
  );
}
