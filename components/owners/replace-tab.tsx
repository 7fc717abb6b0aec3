"use client";
import { Button, Checkbox, MultiSelect } from "@mantine/core";
import { IconEye } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { ProgressBar } from "#components/ui/progress-bar.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useTask } from "#components/ui/use-task.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import { replaceOwner } from "#lib/owners/replacement/actions.ts";
import type { Replacement } from "#lib/owners/replacement/commands.ts";
import { type ReplaceField, replaceFields } from "#lib/owners/replacement/limits.ts";
import { ownersMax } from "#lib/rollout-plan/plan-rows/limits.ts";
import type { TaskRow } from "#lib/tasks/queries.ts";
import classes from "./owners.module.css";
import { PeopleField, type Person } from "./people-field.tsx";
import { useRegions } from "./use-regions.ts";
import { useRuleChoices } from "./use-rules.ts";

/** Puts others into the place of an owner, once the places were counted and shown. [OWN-08] */
export function ReplaceTab() {
  const t = useTranslations("owners");
  const id = useId();
  const [old, setOld] = useState<readonly Person[]>([]);
  const [others, setOthers] = useState<readonly Person[]>([]);
  const [flowIds, setFlowIds] = useState<string[]>([]);
  const [regionIds, setRegionIds] = useState<string[]>([]);
  const [fields, setFields] = useState<readonly ReplaceField[]>(replaceFields);
  const [dispatched, setDispatched] = useState(false);
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const [seen, setSeen] = useState<Replacement | null>(null);
  const [asking, setAsking] = useState(false);
  const [taskId, setTaskId] = useState<string | null>(null);
  const [replace, busy] = useAction(replaceOwner);
  const choices = useRuleChoices();
  const regions = useRegions();
  const change = <Value,>(set: (value: Value) => void) => {
    return (value: Value) => {
      set(value);
      setProblems(new Map());
      setSeen(null);
      setTaskId(null);
    };
  };
  const send = (dryRun: boolean) =>
    replace({
      ...(old[0] ? { oldOwner: old[0].account } : {}),
      newOwners: others.map(({ account }) => account),
      scope: { flowIds: flowIds.map(Number), regionIds: regionIds.map(Number), duIds: [] },
      fields: [...fields],
      includeDispatched: dispatched,
      dryRun,
    });
  const tell = (answer: Awaited<ReturnType<typeof send>>) => {
    const told = new Map((answer.problems ?? []).map(({ path, msg }) => [path, msg]));
    setProblems(told.size > 0 ? told : new Map([["", answer.msg ?? t("failed")]]));
    setSeen(null);
  };
  const look = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await send(true);
    if (answer.data) setSeen(answer.data);
    else tell(answer);
  };
  const apply = async () => {
    const answer = await send(false);
    if (!answer.data) return tell(answer);
    if (answer.data.taskId) setTaskId(answer.data.taskId);
    else toast.done(t("done.replaced", { count: answer.data.count }));
    setSeen(null);
  };
  const field = (path: string, label: string) => ({ id: `${id}-${path}`, label, error: problems.get(path) });
  const at = (path: string) => ({ id: `${id}-${path}`, error: problems.has(path), "aria-describedby": fieldNoteId(`${id}-${path}`) });
  const whole = [...problems].find(([path]) => path !== "oldOwner" && !path.startsWith("newOwners"))?.[1];
  const named = (list: readonly { id: number; name: string }[]) => list.map((one) => ({ value: String(one.id), label: one.name }));
  return (
    <ScrollRegion label={t("tab.replace")} className={classes.page}>
      <form className={classes.panel} onSubmit={look} noValidate>
        <div className={classes.grid}>
          <Field {...field("oldOwner", t("replace.old"))} required>
            <PeopleField {...at("oldOwner")} value={old} most={1} onChange={change(setOld)} />
          </Field>
          <Field {...field("newOwners", t("replace.new"))} required help={t("replace.newHelp", { max: ownersMax })}>
            <PeopleField {...at("newOwners")} value={others} onChange={change(setOthers)} />
          </Field>
          <Field {...field("flows", t("replace.flows"))} help={t("replace.scopeHelp")}>
            <MultiSelect
              {...at("flows")}
              searchable
              data={named(choices.data?.flows ?? [])}
              value={flowIds}
              onChange={change(setFlowIds)}
            />
          </Field>
          <Field {...field("regions", t("replace.regions"))} help={t("replace.scopeHelp")}>
            <MultiSelect {...at("regions")} searchable data={named(regions)} value={regionIds} onChange={change(setRegionIds)} />
          </Field>
        </div>
        <fieldset className={classes.checks}>
          <legend>{t("replace.fields")}</legend>
          {replaceFields.map((value) => (
            <Checkbox
              key={value}
              size="xs"
              label={t(`field.${value}`)}
              checked={fields.includes(value)}
              onChange={(event) =>
                change(setFields)(replaceFields.filter((one) => (one === value ? event.currentTarget.checked : fields.includes(one))))
              }
            />
          ))}
        </fieldset>
        <Checkbox
          size="xs"
          label={t("replace.includeDispatched")}
          checked={dispatched}
          onChange={(event) => change(setDispatched)(event.currentTarget.checked)}
        />
        {whole ? (
          <p className={classes.problem} role="alert">
            {whole}
          </p>
        ) : null}
        <div className={classes.line}>
          <Button type="submit" leftSection={<IconEye size={16} stroke={1.4} />} loading={busy} disabled={fields.length === 0}>
            {t("replace.preview")}
          </Button>
          {seen && seen.count > 0 ? (
            <Button variant="filled" onClick={() => setAsking(true)}>
              {t("replace.apply", { count: seen.count })}
            </Button>
          ) : null}
        </div>
        {taskId ? <Replacing key={taskId} taskId={taskId} /> : null}
        {seen ? <Seen seen={seen} dispatched={dispatched} /> : null}
      </form>
      <Confirm opened={asking} verb={t("replace.apply", { count: seen?.count ?? 0 })} onClose={() => setAsking(false)} onConfirm={apply}>
        {t("replace.applyText", { old: old[0]?.name ?? "", others: others.map(({ name }) => name).join(", ") })}
      </Confirm>
    </ScrollRegion>
  );
}

/** How far a replacement in many DUs is, and how to stop it. */
function Replacing({ taskId }: { taskId: string }) {
  const t = useTranslations("owners");
  const task = useTask<Pick<TaskRow, "status" | "progress" | "cancelRequested"> & { result: { count: number } | null }>(taskId);
  const [stopping, setStopping] = useState(false);
  const { status = "queued", progress = 0, cancelRequested = false, result } = task.data ?? {};
  const stop = async () => {
    setStopping(true);
    const answer = await callDoor(`task/cancel/${taskId}`);
    setStopping(false);
    if (answer.status >= 400) toast.problem(answer.msg ?? t("failed"));
    void task.refetch();
  };
  if (task.isError) return <ErrorPanel title={t("replace.unread")} failed={task.error} onRetry={() => task.refetch()} />;
  if (status === "succeeded") return <p role="status">{t("replace.finished", { count: result?.count ?? 0 })}</p>;
  if (status === "cancelled") return <p role="status">{t("replace.stopped")}</p>;
  if (status !== "queued" && status !== "running")
    return (
      <p className={classes.problem} role="alert">
        {t("failed")}
      </p>
    );
  return (
    <section className={classes.box} aria-label={t("replace.running")}>
      <h3>{t("replace.running")}</h3>
      <ProgressBar done={progress} total={status === "queued" ? null : 100} label={t("replace.running")} large />
      <p className={classes.help}>{t("replace.background")}</p>
      <div className={classes.line}>
        <Button loading={stopping} disabled={cancelRequested} onClick={stop}>
          {t("replace.stop")}
        </Button>
      </div>
    </section>
  );
}

function Seen({ seen, dispatched }: { seen: Replacement; dispatched: boolean }) {
  const t = useTranslations("owners");
  const counts = replaceFields.flatMap((field) => (seen.fields[field] ? [[field, seen.fields[field]] as const] : []));
  return (
    <section className={classes.form} aria-live="polite" aria-label={t("replace.preview")}>
      {seen.count === 0 ? <p className={classes.help}>{t("replace.none")}</p> : null}
      {counts.length > 0 ? (
        <dl className={classes.tiles}>
          {counts.map(([field, count]) => (
            <div key={field}>
              <dt>{t(`field.${field}`)}</dt>
              <dd>{formatNumber(count)}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      {seen.dispatched > 0 ? (
        <div className={classes.box}>
          <h3>
            {t("replace.dispatched")}: {formatNumber(seen.dispatched)}
          </h3>
          <p className={classes.help}>{t(dispatched ? "replace.dispatchedGo" : "replace.dispatchedStay")}</p>
          <ul className={classes.list}>
            {seen.orders.map(({ number, duCode, activity }) => (
              <li key={number}>{t("replace.order", { number, du: duCode, activity })}</li>
            ))}
          </ul>
        </div>
      ) : null}
      {seen.rules.length + seen.attributes.length > 0 ? (
        <div className={classes.box}>
          <h3>{t("replace.bringBack")}</h3>
          <ul className={classes.list}>
            {seen.rules.map(({ id, name }) => (
              <li key={`rule ${id}`}>{t("replace.rule", { name })}</li>
            ))}
            {seen.attributes.map(({ id, name, dus }) => (
              <li key={`attribute ${id}`}>{t("replace.attribute", { name, dus })}</li>
            ))}
          </ul>
        </div>
      ) : null}
    </section>
  );
}
