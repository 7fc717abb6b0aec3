"use client";
import { Button } from "@mantine/core";
import { useDebouncedValue, useHotkeys } from "@mantine/hooks";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { useCommands } from "#components/ui/commands.ts";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Kbd } from "#components/ui/kbd.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useUnsaved } from "#components/ui/unsaved.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf, refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { projectMoment } from "#lib/core/clock.ts";
import type { Answer } from "#lib/core/error.ts";
import { formatNumber } from "#lib/core/format.ts";
import { structureFaults } from "#lib/plan-rules/conditions/logic.ts";
import { previewPlanRules } from "#lib/plan-rules/execution/actions.ts";
import type { RuleType } from "#lib/plan-rules/limits.ts";
import { fieldKey, type RuleAction, type RuleEvent, type SourceRef, settlesLate } from "#lib/plan-rules/logic.ts";
import { savePlanRule } from "#lib/plan-rules/rule-set/actions.ts";
import type { RuleDetail, RuleObjects } from "#lib/plan-rules/rule-set/queries.ts";
import { ActionsCard } from "./actions-card.tsx";
import { BasicsCard, ScopeCard } from "./basics-card.tsx";
import { ConditionEditor, useConditionText } from "./condition-picker.tsx";
import { EventsCard } from "./events-card.tsx";
import classes from "./plan-rules.module.css";
import { eventObject, eventObjects, fixedKey, formOf, type RuleForm } from "./rule-form.ts";
import { RunResult } from "./run-result.tsx";

const typingMs = 400;

/** What conditions and rows of a flow can name, with the shared choices put back. */
function useObjects(flowId: string | null) {
  const project = useProjectNumber();
  return useQuery({
    queryKey: ["rule-objects", project, flowId],
    queryFn: async ({ signal }) => {
      const input = flowId === null ? {} : { flowId: Number(flowId) };
      const { objects, lists, ...rest } = dataOf(await callDoor<RuleObjects>("planAutoRule/objects", input, { signal }));
      return {
        ...rest,
        objects: objects.map((object) => {
          const list = (object as { list?: number }).list;
          return list === undefined ? object : { ...object, choices: lists[list] ?? [] };
        }),
      };
    },
    // What every flow can name stays on offer while what another flow can is on its way.
    placeholderData: keepPreviousData,
    retry: false,
  });
}

type Known = Pick<RuleObjects, "activities" | "fields">;

/** Everything that was ever on offer, that of flows chosen before among it. */
function useEverKnown(): Known {
  const read = useQueryClient().getQueriesData<RuleObjects>({ queryKey: ["rule-objects", useProjectNumber()] });
  return {
    activities: read.flatMap(([, data]) => data?.activities ?? []),
    fields: read.flatMap(([, data]) => data?.fields ?? []),
  };
}

/** Where rules of a type are listed; all others stand on the screen of plan auto rules. */
const screenOf: Partial<Record<RuleType, "extendedEventRules" | "organisationalTargets">> = {
  EXT_EVENT: "extendedEventRules",
  ORG_TARGET: "organisationalTargets",
};

/** The editor of a rule: four cards, the sentence they make, how many DUs they concern, and what the rule would do. */
export function RuleEditor({ rule, begin }: { rule: RuleDetail | null; begin: RuleType }) {
  const t = useTranslations("plan-rules");
  const common = useTranslations("common");
  const href = useHref();
  const router = useRouter();
  const client = useQueryClient();
  const { can, offset } = useSession();
  const mayEdit = can("rule.edit");
  // The form and the revision it is saved with are of one reading: a later one may hold what others have saved.
  const [opened] = useState(rule);
  const [form, setForm] = useState<RuleForm>(() => formOf(opened, begin, fieldKey, offset));
  const [edited, setEdited] = useState(false);
  useUnsaved(edited);
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const [runId, setRunId] = useState<number | null>(null);
  const [save, saving] = useAction(savePlanRule);
  const [preview, looking] = useAction(previewPlanRules);
  const known = useObjects(form.flowId);
  const objects = known.data?.objects ?? [];
  const fields = known.data?.fields ?? [];
  /** Whether the fields are those of the chosen flow: before that nothing can be said of what the rows name. */
  const settled = known.isSuccess && !known.isPlaceholderData;
  const isElsewhere = (key: string) => settled && key !== fixedKey && fields.every((field) => field.key !== key);
  const flowHas = { activities: known.data?.activities ?? [], fields };
  const isEventElsewhere = (event: RuleEvent) => {
    const object = eventObject(event);
    return settled && object !== null && !eventObjects(event.moment, flowHas).has(object);
  };
  const ever = useEverKnown();
  const titleOf = (key: string) => ever.fields.find((field) => field.key === key)?.title;
  const isTarget = form.ruleType === "ORG_TARGET";
  const patch = (part: Partial<RuleForm>) => {
    setForm((before) => ({ ...before, ...part }));
    setEdited(true);
    setProblems(new Map());
  };
  const input = () => inputOf(form, fields, offset);
  const tell = (answer: Answer<unknown>) => {
    const told = new Map((answer.problems ?? []).map(({ path, msg }) => [path.replace(/^rule\./, ""), msg]));
    setProblems(told.size > 0 ? told : new Map([["", answer.msg ?? t("failed")]]));
  };
  const missing = () => {
    const found = new Map<string, string>();
    if (form.name.trim() === "") found.set("name", t("form.nameMissing"));
    if (form.flowId === null) found.set("flowId", t("form.flowMissing"));
    if (form.ruleType === "EXT_EVENT")
      form.events.forEach((event, at) => {
        if (eventObject(event) === null) found.set(`events.${at}`, t("form.eventMissing"));
        else if (isEventElsewhere(event)) found.set(`events.${at}`, t("form.eventElsewhere"));
      });
    form.actions.forEach(({ sources, fixed, target }, at) => {
      if (isTarget) return;
      if (sources.length === 0) found.set(`actions.${at}.sources`, t("form.sourceMissing"));
      else if (sources.some(isElsewhere)) found.set(`actions.${at}.sources`, t("form.sourceElsewhere"));
      else if (sources.includes(fixedKey) && fixed.trim() === "") found.set(`actions.${at}.sources`, t("form.fixedMissing"));
      if (target === null) found.set(`actions.${at}.target`, t("form.targetMissing"));
      else if (isElsewhere(target)) found.set(`actions.${at}.target`, t("form.targetElsewhere"));
    });
    setProblems(found);
    return found.size > 0;
  };
  const onSave = async () => {
    if (!mayEdit || !settled || missing()) return;
    const answer = await save({ ...input(), ...(opened ? { id: opened.id, rowVersion: opened.rowVersion } : {}) });
    if (answer.status >= 400 || !answer.data) return tell(answer);
    setEdited(false);
    const { warnings } = answer.data;
    toast.done(warnings.length > 0 ? t("savedOverlap", { names: warnings.map(({ name }) => name).join(", ") }) : t("saved"));
    // What the lists have shown before is no longer so.
    await refreshList(client, "planAutoRule/list");
    router.push(href(screenOf[form.ruleType] ?? "planRules"));
  };
  const onPreview = async () => {
    if (isTarget || !settled || missing()) return;
    const answer = await preview({ rule: { ...input(), ...(rule ? { id: rule.id } : {}) } });
    if (answer.data) setRunId(answer.data.runId);
    else tell(answer);
  };
  useHotkeys(
    [
      ["mod+S", () => press("rule-save")],
      ["mod+Enter", () => press("rule-preview")],
    ],
    [],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the verbs read the form of their moment
  const commands = useMemo(
    () => [{ key: "preview", label: t("verb.preview"), shortcut: "Ctrl+Enter", run: () => void onPreview() }],
    [t, form],
  );
  useCommands(commands);
  const sentence = useSentence(form, objects, fields);
  const count = useCount(form);
  const atRows = new Map(
    [...problems].flatMap(([path, text]) => (path.startsWith("conditions.") ? [[path.slice(11), text] as const] : [])),
  );
  const whole = [...problems].filter(([path]) => path === "" || path === "actions" || path === "rowVersion").map(([, text]) => text);
  return (
    <>
      <PageBar
        record={rule?.name ?? t("new")}
        edited={edited}
        status={
          rule ? (
            <Tag tone={rule.status === "EFFECTIVE" ? "ok" : "neutral"}>
              {t(rule.status === "EFFECTIVE" ? "status.EFFECTIVE" : `invalid.${rule.invalidReason ?? "DISABLED"}`)}
            </Tag>
          ) : undefined
        }
      >
        <Button component={Link} href={href("planRules")} prefetch={false} variant="subtle" color="gray">
          {common("cancel")}
        </Button>
        {isTarget ? null : (
          <Button id="rule-preview" loading={looking} disabled={!settled} onClick={onPreview} rightSection={<Kbd>Ctrl ↵</Kbd>}>
            {t("verb.preview")}
          </Button>
        )}
        {mayEdit ? (
          <Button id="rule-save" variant="filled" loading={saving} disabled={!settled} onClick={onSave}>
            {common("save")}
          </Button>
        ) : null}
      </PageBar>
      <div className={classes.split}>
        <div className={classes.cards}>
          {whole.length > 0 ? (
            <p className={classes.problem} role="alert">
              {whole.join("; ")}
            </p>
          ) : null}
          {known.isError ? <ErrorPanel title={t("failed")} failed={known.error} onRetry={() => known.refetch()} /> : null}
          {rule && rule.faults.length > 0 ? (
            <p className={classes.problem}>{rule.faults.map(({ reason, name }) => t(`fault.${reason}`, { name })).join("; ")}</p>
          ) : null}
          <BasicsCard form={form} problems={problems} rule={rule} onPatch={patch} />
          <ScopeCard form={form} problems={problems} flowName={rule?.flowName ?? null} objects={objects} count={count} onPatch={patch} />
          {form.ruleType === "EXT_EVENT" ? (
            <EventsCard form={form} problems={problems} known={flowHas} ever={ever} isElsewhere={isEventElsewhere} onPatch={patch} />
          ) : null}
          {isTarget ? (
            <p className={classes.help}>{t("form.targetHelp")}</p>
          ) : (
            <>
              <ConditionEditor
                objects={objects}
                rows={form.conditions}
                onChange={(conditions) => patch({ conditions })}
                problems={atRows}
                card
              />
              <ActionsCard
                form={form}
                objects={objects}
                fields={fields}
                isElsewhere={isElsewhere}
                titleOf={titleOf}
                problems={problems}
                onPatch={patch}
              />
            </>
          )}
        </div>
        <aside className={classes.side} aria-label={t("result.title")}>
          <h2>{t("sentence.title")}</h2>
          <p className={classes.sentence} aria-live="polite">
            {sentence ?? t("sentence.unreadable")}
          </p>
          {isLate(form, fields) ? <p className={classes.help}>{t("form.settlesLate")}</p> : null}
          {runId === null ? (
            <p className={classes.help}>{t("result.none")}</p>
          ) : (
            <>
              <h2>{t("result.title")}</h2>
              <RunResult key={runId} runId={runId} narrow />
            </>
          )}
        </aside>
      </div>
    </>
  );
}

/** Presses a button for its keys. Leaving the field takes what was typed; the verb follows with it. */
function press(id: string): void {
  (document.activeElement as HTMLElement | null)?.blur?.();
  setTimeout(() => document.getElementById(id)?.click());
}

function actionsOf(form: RuleForm, fields: RuleObjects["fields"]): RuleAction[] {
  const known = new Map(fields.map(({ key, ref }) => [key, ref]));
  return form.actions.flatMap(({ sources, fixed, aggregate, blanks, offset, target, overwrite }): RuleAction[] => {
    const to = target === null ? undefined : known.get(target);
    const from = sources.flatMap((key): SourceRef[] => {
      if (key === fixedKey) return fixed.trim() === "" ? [] : [{ k: "FIXED", value: fixed.trim() }];
      const ref = known.get(key);
      return ref ? [ref] : [];
    });
    return to && from.length > 0
      ? [{ sources: from, aggregate: form.ruleType === "MULTI_ACT" ? aggregate : null, blanks, offset, target: to, overwrite }]
      : [];
  });
}

function inputOf(form: RuleForm, fields: RuleObjects["fields"], offset: number) {
  const isTarget = form.ruleType === "ORG_TARGET";
  const isTimed = !isTarget && form.ruleType !== "EXT_EVENT" && form.autoExecute;
  return {
    name: form.name,
    ruleType: form.ruleType,
    flowId: Number(form.flowId),
    regionIds: form.regionIds.map(Number),
    duFilter: isTarget ? [] : filtersOf(form),
    effectiveAt: form.effectiveAt === "" ? null : projectMoment(new Date(`${form.effectiveAt}T00:00:00Z`), offset).toISOString(),
    expireDate: form.expireDate === "" ? null : form.expireDate,
    autoExecute: isTimed,
    frequency: isTimed ? form.frequency : null,
    ...(form.sortNo === "" ? {} : { sortNo: form.sortNo }),
    description: form.description,
    events: form.ruleType === "EXT_EVENT" ? form.events : [],
    conditions: isTarget ? [] : form.conditions.map(({ key: _key, ...row }) => row),
    actions: isTarget ? [] : actionsOf(form, fields),
  };
}

const filtersOf = ({ duFilter }: RuleForm) => duFilter.map(({ key: _key, ...filter }) => filter);

function isLate(form: RuleForm, fields: RuleObjects["fields"]): boolean {
  return settlesLate({ conditions: form.conditions, actions: actionsOf(form, fields) });
}

/** The rule as a sentence while it is typed. */
function useSentence(form: RuleForm, objects: RuleObjects["objects"], fields: RuleObjects["fields"]): string | null {
  const t = useTranslations("plan-rules");
  const condition = useConditionText(objects)(form.conditions);
  const titles = new Map(fields.map(({ key, title }) => [key, title]));
  if (condition === null) return null;
  const actions = actionsOf(form, fields).map(({ sources, aggregate, offset, target }) =>
    t(`sentence.${aggregate ?? "one"}`, {
      target: titles.get(fieldKey(target)) ?? "",
      source: sources
        .map((source) =>
          source.k === "FIXED" ? fixedTitle(objects, fieldKey(target), String(source.value)) : titles.get(fieldKey(source)),
        )
        .join(", "),
      offset,
    }),
  );
  return actions.length === 0 ? condition : t("sentence.rule", { condition, actions: actions.join("; ") });
}

/** A fixed value in words: of a choice its title. */
function fixedTitle(objects: RuleObjects["objects"], target: string, value: string): string {
  return objects.find(({ key }) => key === target)?.choices?.find((choice) => choice.value === value)?.title ?? value;
}

/** How many DUs the rule looks at and holds for, a moment after the typing stops. */
function useCount(form: RuleForm): string | null {
  const t = useTranslations("plan-rules");
  const project = useProjectNumber();
  const asked = useMemo(
    () => ({
      flowId: Number(form.flowId),
      regionIds: form.regionIds.map(Number),
      duFilter: form.duFilter.map(({ key: _key, ...filter }) => filter),
      conditions: form.conditions.map(({ key: _key, ...row }) => row),
    }),
    [form.flowId, form.regionIds, form.duFilter, form.conditions],
  );
  const [settled] = useDebouncedValue(asked, typingMs);
  const found = useQuery({
    queryKey: ["rule-count", project, settled],
    queryFn: async ({ signal }) => dataOf(await callDoor<{ scope: number; matched: number }>("planAutoRule/count", settled, { signal })),
    enabled: settled.flowId > 0 && structureFaults(settled.conditions).length === 0,
    retry: false,
  });
  return found.data ? t("form.count", { matched: formatNumber(found.data.matched), scope: formatNumber(found.data.scope) }) : null;
}
