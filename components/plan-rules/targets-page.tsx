"use client";
import { Button, NumberInput, Select } from "@mantine/core";
import { IconPlus, IconTargetArrow } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type Edits, rebased, withGiven, withoutSaved } from "#components/ui/based-edits.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field } from "#components/ui/field.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { toast } from "#components/ui/toast.ts";
import { useUnsaved } from "#components/ui/unsaved.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf, useList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { addDays } from "#lib/core/clock.ts";
import type { RuleRow } from "#lib/plan-rules/rule-set/queries.ts";
import { saveOrgTargets } from "#lib/plan-rules/targets/actions.ts";
import { targetMax } from "#lib/plan-rules/targets/limits.ts";
import { spreadEvenly, weekStart, weeksBetween } from "#lib/plan-rules/targets/logic.ts";
import type { TargetRow } from "#lib/plan-rules/targets/queries.ts";
import classes from "./plan-rules.module.css";
import { useRuleTabs } from "./rules-page.tsx";

const weeksShown = 12;
const kind = [{ field: "type", type: "eq" as const, values: ["ORG_TARGET"] }];
type Found = { rows: TargetRow[]; regions: { id: number; name: string }[]; activities: { id: number; name: string }[] };
/** Typed targets of a rule; an empty text is none. */
type Draft = Edits<string>;
const nothing: Draft = new Map();
const numberOf = (text: string) => (text === "" ? null : Number(text));
const cellKey = (regionId: number, activityId: number, week: string) => `${regionId} ${activityId} ${week}`;

/** How many DUs the organisation wants to bring to an activity, by region and week. [RUL-02] */
export function TargetsPage({ today }: { today: string }) {
  const t = useTranslations("plan-rules");
  const common = useTranslations("common");
  const href = useHref();
  const project = useProjectNumber();
  const client = useQueryClient();
  const tabs = useRuleTabs();
  const { can } = useSession();
  const mayEdit = can("rule.edit");
  const rules = useList<RuleRow>({ address: "planAutoRule/list", page: 1, size: 200, filters: kind });
  const [chosen, setChosen] = useState<string | null>(null);
  const [activity, setActivity] = useState<string | null>(null);
  const [from, setFrom] = useState(() => weekStart(today));
  const [drafts, setDrafts] = useState<ReadonlyMap<number, Draft>>(new Map());
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const [save, saving] = useAction(saveOrgTargets);
  const ruleId = Number(chosen ?? rules.data?.records[0]?.id ?? 0);
  const to = addDays(from, 7 * (weeksShown - 1));
  const queryKey = ["org-targets", project, ruleId, from];
  const found = useQuery({
    queryKey,
    queryFn: async ({ signal }) => dataOf(await callDoor<Found>("orgTarget/find", { ruleId, from, to }, { signal })),
    enabled: ruleId > 0,
    retry: false,
  });
  const weeks = weeksBetween(from, to);
  const activityId = Number(activity ?? found.data?.activities[0]?.id ?? 0);
  const stored = new Map(found.data?.rows.map((row) => [cellKey(row.regionId, row.activityId, row.weekStart), row.target]));
  // What was typed for a rule stays while another one is looked at.
  const typed = drafts.get(ruleId) ?? nothing;
  const isEdited = drafts.size > 0;
  useUnsaved(isEdited);
  const change = (next: (draft: Draft) => Draft) =>
    setDrafts((before) => {
      const draft = next(before.get(ruleId) ?? nothing);
      const after = new Map(before);
      if (draft.size > 0) after.set(ruleId, draft);
      else after.delete(ruleId);
      return after;
    });
  const type = (cells: readonly (readonly [key: string, text: string])[]) => {
    setFaults(new Map());
    change((draft) => withGiven(draft, cells, (key) => String(stored.get(key) ?? "")));
  };
  /** Shows what others have set since it was read; whoever saves once more has seen it. The cells may be of weeks that are not shown. */
  const meet = (keys: readonly string[], rows: readonly TargetRow[]) => {
    const present = new Map(rows.map((row) => [cellKey(row.regionId, row.activityId, row.weekStart), row.target]));
    change((draft) => rebased(draft, keys, (key) => String(present.get(key) ?? "")));
    setFaults(new Map(keys.map((key) => [key, t("targets.changed", { target: present.get(key) ?? t("targets.noTarget") })])));
  };
  const onSave = async () => {
    const sent = typed;
    const keys = [...sent.keys()];
    const answer = await save({
      ruleId,
      rows: [...sent].map(([key, { value, base }]) => {
        const [region, act, week] = key.split(" ") as [string, string, string];
        return { regionId: Number(region), activityId: Number(act), weekStart: week, target: numberOf(value), base: numberOf(base) };
      }),
    });
    if (answer.status >= 400) {
      const stale = (answer.problems ?? []).flatMap(({ code, path }) => (code === "STALE" ? (keys[Number(path.split(".")[1])] ?? []) : []));
      if (stale.length > 0) meet(stale, (answer.beside as { rows: TargetRow[] }).rows);
      return toast.problem(answer.problems?.[0]?.msg ?? answer.msg ?? t("failed"));
    }
    change((draft) => withoutSaved(draft, sent));
    setFaults(new Map());
    await client.invalidateQueries({ queryKey });
    toast.done(t("targets.saved", { count: answer.data?.saved ?? 0 }));
  };
  const none = rules.isSuccess && rules.data.records.length === 0;
  const failed = rules.isError && !rules.data ? rules : found.isError ? found : null;
  const newLink = (
    <LinkButton primary={none} href={href("editPlanRule", { query: { type: "ORG_TARGET" } })} icon={<IconPlus size={16} stroke={1.4} />}>
      {t("targets.new")}
    </LinkButton>
  );
  return (
    <>
      <PageBar tabs={tabs} tab="targets" edited={isEdited}>
        {mayEdit ? newLink : null}
        {mayEdit && !none ? (
          <Button variant="filled" disabled={typed.size === 0} loading={saving} onClick={onSave}>
            {common("save")}
          </Button>
        ) : null}
      </PageBar>
      {failed ? (
        <ErrorPanel title={t("targets.failed")} failed={failed.error} onRetry={() => failed.refetch()} />
      ) : none || found.data ? null : (
        <div aria-busy="true" />
      )}
      {none ? (
        <EmptyState
          icon={<IconTargetArrow size={28} stroke={1} aria-hidden="true" />}
          title={t("targets.empty")}
          text={t("targets.emptyText")}
        />
      ) : null}
      {rules.data && rules.data.records.length > 0 && found.data ? (
        <div className={classes.cards}>
          <div className={classes.line}>
            <Select
              aria-label={t("targets.rule")}
              w={240}
              allowDeselect={false}
              data={rules.data.records.map(({ id, name }) => ({ value: String(id), label: drafts.has(id) ? `${name} •` : name }))}
              value={String(ruleId)}
              onChange={(value) => {
                setChosen(value);
                setFaults(new Map());
              }}
            />
            <Select
              aria-label={t("targets.activity")}
              w={240}
              searchable
              allowDeselect={false}
              data={found.data.activities.map(({ id, name }) => ({ value: String(id), label: name }))}
              value={String(activityId)}
              onChange={setActivity}
            />
            <Button onClick={() => setFrom(addDays(from, -7 * weeksShown))}>{t("targets.earlier")}</Button>
            <Button onClick={() => setFrom(addDays(from, 7 * weeksShown))}>{t("targets.later")}</Button>
          </div>
          <ScrollRegion label={t("tab.targets")} className={classes.weeks}>
            <table className={classes.week}>
              <thead>
                <tr>
                  <th scope="col">{t("column.region")}</th>
                  {weeks.map((week) => (
                    <th key={week} scope="col">
                      {week.slice(5)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {found.data.regions.map((region) => (
                  <tr key={region.id}>
                    <th scope="row">{region.name}</th>
                    {weeks.map((week) => {
                      const key = cellKey(region.id, activityId, week);
                      const value = typed.get(key)?.value ?? String(stored.get(key) ?? "");
                      const fault = faults.get(key);
                      return (
                        <td key={week}>
                          {mayEdit ? (
                            <input
                              type="number"
                              min={0}
                              max={targetMax}
                              aria-label={t("targets.cell", { region: region.name, week })}
                              aria-invalid={fault !== undefined || undefined}
                              title={fault}
                              data-edited={typed.has(key) || undefined}
                              value={value}
                              onChange={(event) => type([[key, event.currentTarget.value]])}
                            />
                          ) : (
                            value || "-"
                          )}
                        </td>
                      );
                    })}
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
          {mayEdit ? (
            <Spread
              regions={found.data.regions}
              onSpread={(regionId, total) => {
                const parts = spreadEvenly(total, weeks.length);
                type(weeks.map((week, at) => [cellKey(regionId, activityId, week), String(parts[at])] as const));
              }}
              label={t("targets.spreadHelp", { from, to })}
            />
          ) : null}
        </div>
      ) : null}
    </>
  );
}

type SpreadProps = {
  regions: readonly { id: number; name: string }[];
  label: string;
  onSpread: (regionId: number, total: number) => unknown;
};

function Spread({ regions, label, onSpread }: SpreadProps) {
  const t = useTranslations("plan-rules");
  const [region, setRegion] = useState<string | null>(null);
  const [total, setTotal] = useState<number | string>("");
  return (
    <section className={classes.card}>
      <h2>
        {t("targets.spread")}
        <small>{label}</small>
      </h2>
      <div className={`${classes.body} ${classes.line}`} style={{ flexDirection: "row", alignItems: "end" }}>
        <Field id="spread-region" label={t("column.region")} width={240}>
          <Select
            id="spread-region"
            data={regions.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={region}
            onChange={setRegion}
          />
        </Field>
        <Field id="spread-total" label={t("targets.total")} width={140}>
          <NumberInput id="spread-total" min={0} max={targetMax} allowDecimal={false} value={total} onChange={setTotal} />
        </Field>
        <Button disabled={region === null || total === ""} onClick={() => onSpread(Number(region), Number(total))}>
          {t("targets.spreadVerb")}
        </Button>
      </div>
    </section>
  );
}
