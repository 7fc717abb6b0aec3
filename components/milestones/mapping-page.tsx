"use client";
import { Button } from "@mantine/core";
import { IconWand } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { type Edits, rebased, withGiven, withoutSaved } from "#components/ui/based-edits.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useUnsaved } from "#components/ui/unsaved.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { Locale } from "#lib/core/locale.ts";
import { milestoneName } from "#lib/milestones/logic.ts";
import {
  activitiesByCell,
  cellKey,
  cellOf,
  type MappingCell,
  type MappingRow,
  repeatedTargets,
  suggestTargets,
  writeCells,
} from "#lib/milestones/mapping/logic.ts";
import type { Mapping } from "#lib/milestones/mapping/queries.ts";
import classes from "./mapping.module.css";
import { MappingChecks } from "./mapping-checks.tsx";
import { MappingSelect } from "./mapping-select.tsx";
import { refreshMilestones } from "./milestone-data.ts";
import { useMilestoneTabs } from "./milestone-tabs.ts";

const nothing: Mapping = { milestones: [], flows: [], rows: [] };
/** Unsaved cells, each with the activity it had. */
const noEdits: Edits<number | null> = new Map();

/** Milestones against flows: which activity of a flow stands for a milestone, proposed by name, checked before it is saved. */
export function MappingPage() {
  const t = useTranslations("milestones.mapping");
  const common = useTranslations("common");
  const locale = useLocale() as Locale;
  const href = useHref();
  const project = useProjectNumber();
  const client = useQueryClient();
  const tabs = useMilestoneTabs();
  const [edited, setEdited] = useState(noEdits);
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const read = useQuery({
    queryKey: ["milestones", project, "mapping"],
    queryFn: async ({ signal }) => dataOf(await callDoor<Mapping>("milestoneConfig/mapping/list", {}, { signal })),
  });
  const { milestones, flows, rows } = read.data ?? nothing;
  const after = useMemo(
    () =>
      writeCells(
        rows,
        [...edited].map(([key, { value }]) => cellOf(key, value)),
      ),
    [rows, edited],
  );
  const targets = useMemo(() => activitiesByCell(after), [after]);
  const repeated = useMemo(() => new Set(repeatedTargets(after).map(cellKey)), [after]);
  useUnsaved(edited.size > 0);

  const forgive = () => {
    setFaults(new Map());
    setProblem(null);
  };
  const put = (cells: readonly MappingCell[]) => {
    const stored = activitiesByCell(rows);
    const given = cells.map((cell) => [cellKey(cell), cell.activityId] as const);
    setEdited((before) => withGiven(before, given, (key) => stored.get(key) ?? null));
    forgive();
  };
  const suggest = () => {
    const found = suggestTargets(
      milestones.filter(({ enabled }) => enabled),
      flows,
      after,
    );
    put(found);
    toast.note(t("suggested", { count: found.length }));
  };
  /** Shows what others have put into cells since they were read; whoever saves once more has seen it. While it cannot be read, what was refused is all there is to say. */
  const meet = async (refused: readonly (readonly [key: string, msg: string])[]) => {
    const again = await read.refetch();
    if (!again.isSuccess) return refused;
    const keys = refused.map(([key]) => key);
    const stored = activitiesByCell(again.data.rows);
    const names = new Map(flows.flatMap((flow) => flow.activities.map(({ id, name }) => [id, name] as const)));
    setEdited((before) => rebased(before, keys, (key) => stored.get(key) ?? null));
    return keys.map((key) => [key, t("changed", { activity: names.get(stored.get(key) ?? 0) ?? t("none") })] as const);
  };
  const save = async () => {
    const sent = edited;
    const keys = [...sent.keys()];
    setBusy(true);
    const answer = await callDoor<{ rows: MappingRow[] }>("milestoneConfig/mapping/save", {
      rows: [...sent].map(([key, { value, base }]) => ({ ...cellOf(key, value), base })),
    });
    setBusy(false);
    if (answer.status >= 400) {
      const own = (answer.problems ?? []).flatMap(({ path, msg }) => {
        const key = keys[Number(/^rows\.(\d+)\./.exec(path)?.[1] ?? -1)];
        return key ? [[key, msg] as const] : [];
      });
      setFaults(new Map(answer.code === "STALE" ? await meet(own) : own));
      return setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? common("failed"));
    }
    await refreshMilestones(client);
    setEdited((before) => withoutSaved(before, sent));
    forgive();
    toast.done(t("saved", { count: keys.length }));
  };

  return (
    <>
      <PageBar tabs={tabs} tab="milestoneMapping" edited={edited.size > 0}>
        <Button variant="filled" loading={busy} disabled={edited.size === 0} onClick={save}>
          {edited.size > 0 ? t("save", { count: edited.size }) : common("save")}
        </Button>
      </PageBar>
      {read.isError && !read.data ? (
        <ErrorPanel title={t("failed")} failed={read.error} onRetry={() => read.refetch()} />
      ) : read.isSuccess && milestones.length === 0 ? (
        <EmptyState title={t("noMilestones")}>
          <LinkButton href={href("milestones")}>{t("toMilestones")}</LinkButton>
        </EmptyState>
      ) : read.isSuccess && flows.length === 0 ? (
        <EmptyState title={t("noFlows")} />
      ) : (
        <div className={classes.desk}>
          <div className={classes.main}>
            <div className={classes.tools}>
              <Button
                leftSection={<IconWand size={14} stroke={1.7} />}
                disabled={milestones.length === 0 || flows.length === 0}
                onClick={suggest}
              >
                {t("suggest")}
              </Button>
              <Button
                disabled={edited.size === 0 || busy}
                onClick={() => {
                  setEdited(noEdits);
                  forgive();
                }}
              >
                {common("reset")}
              </Button>
            </div>
            <ScrollRegion label={t("label")} className={classes.matrix} busy={read.isFetching}>
              <table className={classes.table}>
                <thead>
                  <tr>
                    <th scope="col">{t("milestone")}</th>
                    {flows.map((flow) => (
                      <th key={flow.id} scope="col" title={flow.name}>
                        {flow.name} {flow.disabled ? <Tag>{common("disabled")}</Tag> : null}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {milestones.map((milestone) => (
                    <tr key={milestone.id}>
                      <th scope="row" title={milestoneName(milestone, locale)}>
                        <span className={classes.swatch} style={{ background: `var(--${milestone.color})` }} aria-hidden="true" />
                        {milestone.number} · {milestoneName(milestone, locale)} {milestone.enabled ? null : <Tag>{common("disabled")}</Tag>}
                      </th>
                      {flows.map((flow) => {
                        const cell = { milestoneId: milestone.id, flowId: flow.id };
                        const key = cellKey(cell);
                        return (
                          <MappingSelect
                            key={flow.id}
                            label={`${milestone.number}, ${flow.name}`}
                            activities={flow.activities}
                            value={targets.get(key) ?? null}
                            edited={edited.has(key)}
                            fault={faults.get(key) ?? (repeated.has(key) ? t("repeated") : null)}
                            onChange={(activityId) => put([{ ...cell, activityId }])}
                          />
                        );
                      })}
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollRegion>
          </div>
          <MappingChecks milestones={milestones} flows={flows} rows={after} problem={problem} isRead={read.data !== undefined} />
        </div>
      )}
    </>
  );
}
