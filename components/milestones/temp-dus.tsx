"use client";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useCallback, useId, useMemo, useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { DayInput } from "#components/ui/day-input.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Field } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { dusPerCall } from "#lib/milestones/limits.ts";
import type { DatesAnswer, TempAnswer } from "#lib/milestones/temporary/commands.ts";
import type { TempDuRow } from "#lib/milestones/temporary/queries.ts";
import { DuBox, type NamedDu } from "./du-box.tsx";
import classes from "./milestones.module.css";

const address = "tempMilestone/dus/list";
type DateField = "planDate" | "actualDate";
type Dates = Partial<Record<DateField, string>>;
/** Edited dates of a DU with what stood there when they were edited. */
type Draft = { row: TempDuRow; dates: Dates };

type Props = { id: number; onEdited: (isEdited: boolean) => void; onChanged: () => unknown };

/** DUs linked to a released temporary milestone: more are linked by their codes, dates are edited in the list. */
export function TempDus({ id, onEdited, onChanged }: Props) {
  const t = useTranslations("milestones.temp");
  const common = useTranslations("common");
  const { can } = useSession();
  const client = useQueryClient();
  const title = useId();
  const [named, setNamed] = useState<readonly NamedDu[]>([]);
  const [planDate, setPlanDate] = useState("");
  const [drafts, setDrafts] = useState<ReadonlyMap<number, Draft>>(new Map());
  const [notes, setNotes] = useState<ReadonlyMap<number, string>>(new Map());
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [linkings, setLinkings] = useState(0);
  const filters = useMemo(() => [{ field: "tempMilestoneId", type: "eq" as const, values: [id] }], [id]);
  const onFound = useCallback((dus: readonly NamedDu[]) => setNamed(dus), []);
  const mayPlan = can("rollout.edit");
  const mayActual = can("rollout.actualEdit");
  useTellEdited(drafts.size > 0, onEdited);

  const refresh = async () => {
    await refreshList(client, address);
    await onChanged();
  };
  const link = async () => {
    setBusy(true);
    let linked = 0;
    let failed: string | null = null;
    for (let at = 0; at < named.length && failed === null; at += dusPerCall) {
      const duIds = named.slice(at, at + dusPerCall).map((du) => du.id);
      const answer = await callDoor<TempAnswer>("tempMilestone/link", { id, duIds, ...(planDate && { planDate }) });
      if (answer.data) linked += answer.data.ids.length;
      else failed = answer.problems?.[0]?.msg ?? answer.msg ?? common("failed");
    }
    setBusy(false);
    setProblem(failed);
    if (linked > 0) toast.done(t("linked", { count: linked }));
    if (failed === null) setLinkings((count) => count + 1);
    await refresh();
  };
  const unlink = async (rows: TempDuRow[], clear: () => void) => {
    const answer = await callDoor<TempAnswer>("tempMilestone/unlink", { id, duIds: rows.map(({ duId }) => duId) });
    setProblem(answer.status >= 400 ? (answer.msg ?? common("failed")) : null);
    clear();
    await refresh();
  };
  const edit = (row: TempDuRow, field: DateField, day: string) =>
    setDrafts((before) => {
      const next = new Map(before);
      const { [field]: _old, ...others } = before.get(row.duId)?.dates ?? {};
      const dates: Dates = day === (row[field] ?? "") ? others : { ...others, [field]: day };
      if (Object.keys(dates).length === 0) next.delete(row.duId);
      else next.set(row.duId, { row: before.get(row.duId)?.row ?? row, dates });
      return next;
    });
  const save = async () => {
    const sent = drafts;
    const rows = [...sent.values()].map(({ row, dates }) => ({
      id,
      duId: row.duId,
      ...Object.fromEntries(Object.entries(dates).map(([field, day]) => [field, day || null])),
      base: { planDate: row.planDate, actualDate: row.actualDate },
    }));
    setBusy(true);
    const answer = await callDoor<DatesAnswer>("tempMilestone/dates", { rows });
    setBusy(false);
    if (!answer.data) return setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? common("failed"));
    const { saved, rejected, conflicts } = answer.data;
    const refused = new Map<number, string>();
    for (const { duId, msg } of rejected) if (duId !== null) refused.set(duId, msg);
    for (const { duId, field, present } of conflicts)
      refused.set(duId, t("conflict", { field: t(`field.${field}`), date: present ?? "-" }));
    setNotes(refused);
    setProblem(refused.size > 0 ? t("notSaved", { count: refused.size }) : null);
    // A refused row keeps what was typed, and so does one that was edited while the save ran; from now on it is judged against what is stored.
    setDrafts((before) => {
      const kept = [...before].filter(([duId, draft]) => refused.has(duId) || sent.get(duId) !== draft);
      return new Map(
        kept.map(([duId, draft]) => {
          const moved = conflicts.filter((conflict) => conflict.duId === duId).map(({ field, present }) => [field, present]);
          const written = refused.has(duId) ? [] : Object.entries(sent.get(duId)?.dates ?? {}).map(([field, day]) => [field, day || null]);
          return [duId, { ...draft, row: { ...draft.row, ...Object.fromEntries([...written, ...moved]) } }];
        }),
      );
    });
    if (saved > 0) toast.done(t("datesSaved", { count: saved }));
    await refresh();
  };
  const dateColumn = (key: DateField, may: boolean): Column<TempDuRow> => ({
    key,
    label: t(`field.${key}`),
    width: 160,
    sortable: true,
    render: (row) =>
      may ? (
        <DayInput
          aria-label={`${row.code} ${t(`field.${key}`)}`}
          clearable
          error={notes.has(row.duId)}
          value={drafts.get(row.duId)?.dates[key] ?? row[key] ?? ""}
          onChange={(day) => edit(row, key, day)}
        />
      ) : (
        (row[key] ?? "-")
      ),
  });
  const columns: Column<TempDuRow>[] = [
    { key: "code", label: common("du"), width: 150, sortable: true },
    { key: "name", label: common("name"), sortable: true },
    dateColumn("planDate", mayPlan),
    dateColumn("actualDate", mayActual),
    { key: "note", label: "", render: ({ duId }) => <span className={classes.problem}>{notes.get(duId) ?? ""}</span> },
  ];
  return (
    <section className={classes.infos} aria-labelledby={title}>
      <h3 id={title}>{t("dus")}</h3>
      {mayPlan ? (
        <div className={classes.pair}>
          <DuBox key={linkings} label={t("link")} onFound={onFound} />
          <div className={classes.dates}>
            <Field id={`${title}-date`} label={t("field.planDate")}>
              <DayInput id={`${title}-date`} clearable value={planDate} onChange={setPlanDate} />
            </Field>
            <Button variant="filled" loading={busy} disabled={named.length === 0} onClick={link}>
              {t("linkVerb", { count: named.length })}
            </Button>
          </div>
        </div>
      ) : null}
      {problem ? (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      ) : null}
      <div className={classes.dus}>
        <DataTable<TempDuRow>
          label={t("dus")}
          address={address}
          rowKey={({ duId }) => duId}
          columns={columns}
          filters={filters}
          {...(mayPlan && {
            batch: (rows: TempDuRow[], clear: () => void) => (
              <Button onClick={() => unlink(rows, clear)}>{t("unlink", { count: rows.length })}</Button>
            ),
          })}
          empty={<EmptyState title={t("noDus")} />}
        />
      </div>
      <div className={classes.foot}>
        <Button
          disabled={drafts.size === 0}
          onClick={() => {
            setDrafts(new Map());
            setNotes(new Map());
          }}
        >
          {common("reset")}
        </Button>
        <Button variant="filled" loading={busy} disabled={drafts.size === 0} onClick={save}>
          {t("saveDates", { count: drafts.size })}
        </Button>
      </div>
    </section>
  );
}
