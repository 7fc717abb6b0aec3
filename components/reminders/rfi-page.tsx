"use client";
import { Button, Checkbox, NumberInput, Select } from "@mantine/core";
import { IconMapPinOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useUnsaved } from "#components/ui/unsaved.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { emptyText, formatNumber } from "#lib/core/format.ts";
import { saveRfi } from "#lib/reminders/rfi/actions.ts";
import { type RemindType, remindTypes, rfiDaysMax } from "#lib/reminders/rfi/limits.ts";
import type { RfiReminder, RfiState } from "#lib/reminders/rfi/queries.ts";
import type { ReminderChoices } from "#lib/reminders/rules/queries.ts";
import { receiverCount, shownLocal } from "./reminder-view.ts";
import classes from "./reminders.module.css";
import { RfiReceiversDialog } from "./rfi-receivers-dialog.tsx";
import { SwitchActions } from "./switch-actions.tsx";

const key = "rfi-reminders";

/** The states of the project with their reminders, and what the two screens of them share. */
export function RfiPage({ screen, choices }: { screen: "rfiReminders" | "rfiExceptionReminders"; choices: ReminderChoices }) {
  const t = useTranslations("reminder-rules");
  const project = useProjectNumber();
  const href = useHref();
  const found = useQuery({
    queryKey: [key, project],
    queryFn: async ({ signal }) => dataOf(await callDoor<{ brazil: boolean; states: RfiState[] }>("rfiRemind/list", {}, { signal })),
    retry: false,
  });
  const states = found.data?.states ?? [];
  const reread = async () => (await found.refetch()).data?.states ?? [];
  return (
    <>
      <PageBar
        tabs={(["rfiReminders", "rfiExceptionReminders"] as const).map((one) => ({ key: one, label: t(`tab.${one}`), href: href(one) }))}
        tab={screen}
      />
      {found.isError && !found.data ? <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => found.refetch()} /> : null}
      {found.data && states.length === 0 ? (
        <EmptyState
          icon={<IconMapPinOff size={28} stroke={1} aria-hidden="true" />}
          title={t(found.data.brazil ? "empty.rfi" : "notBrazil")}
          text={found.data.brazil ? t("emptyText.rfi") : t("notBrazilText")}
        />
      ) : null}
      {states.length > 0 && screen === "rfiReminders" ? <RfiTable states={states} choices={choices} reread={reread} /> : null}
      {states.length > 0 && screen === "rfiExceptionReminders" ? (
        <ExceptionTable states={states} choices={choices} reread={reread} />
      ) : null}
    </>
  );
}

type Edited = { minDays: number | string; maxDays: number | string; remindTypes: RemindType[]; untilActivityId: number | null };
/** What an edit was made upon: the reminder of the state, or that it had none. */
type Base = Pick<RfiReminder, "id" | "rowVersion" | keyof Edited> | null;
type Edit = { value: Edited; base: Base };
type TableProps = { states: readonly RfiState[]; choices: ReminderChoices; reread: () => Promise<readonly RfiState[]> };

const fresh: Edited = { minDays: 5, maxDays: 15, remindTypes: ["MAIL"], untilActivityId: null };

const editedOf = ({ minDays, maxDays, remindTypes: types, untilActivityId }: Edited): Edited => ({
  minDays,
  maxDays,
  remindTypes: types,
  untilActivityId,
});
const isSame = (a: Base, b: Base) => a?.id === b?.id && JSON.stringify(a && editedOf(a)) === JSON.stringify(b && editedOf(b));
const remindOf = (states: readonly RfiState[], id: string) => states.find(({ stateId }) => stateId === id)?.remind ?? null;

function RfiTable({ states, choices, reread }: TableProps) {
  const t = useTranslations("reminder-rules");
  const common = useTranslations("common");
  const { can } = useSession();
  const mayEdit = can("notice.edit");
  const [save, saving] = useAction(saveRfi);
  const [edits, setEdits] = useState<ReadonlyMap<string, Edit>>(new Map());
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [fill, setFill] = useState<Edited>(fresh);
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  useUnsaved(edits.size > 0);
  const shownValue = ({ stateId, remind }: RfiState): Edited | null => edits.get(stateId)?.value ?? remind;
  const edit = (ids: Iterable<string>, part: Partial<Edited>) =>
    setEdits((before) => {
      const after = new Map(before);
      for (const id of ids) {
        const known = before.get(id);
        const base = known ? known.base : remindOf(states, id);
        after.set(id, { value: { ...editedOf(known?.value ?? base ?? fresh), ...part }, base });
      }
      return after;
    });
  const until = choices.activities.map(({ id, name }) => ({ value: String(id), label: name }));
  const untilOf = ({ untilActivityId }: Edited) =>
    until.find(({ value }) => value === String(untilActivityId))?.label ?? t("rfi.untilDefault");
  const daysOf = ({ minDays, maxDays }: Edited) => `${minDays} – ${maxDays}`;
  const typesOf = ({ remindTypes: types }: Edited) => types.map((type) => t(`remindType.${type}`)).join(", ");
  const textOf = (edited: Edited) => [daysOf(edited), typesOf(edited), untilOf(edited)].join("; ");
  /** What others have saved since it was edited here, by state; whoever saves once more has seen it. */
  const meet = async (sent: ReadonlyMap<string, Edit>) => {
    const present = await reread();
    const met = new Map(
      [...sent].flatMap(([id, { base }]) => (isSame(base, remindOf(present, id)) ? [] : [[id, remindOf(present, id)] as const])),
    );
    setEdits((before) => new Map([...before].map(([id, edit]) => [id, met.has(id) ? { ...edit, base: met.get(id) ?? null } : edit])));
    return new Map([...met].map(([id, remind]) => [id, remind ? t("rfi.changed", { present: textOf(remind) }) : t("rfi.deleted")]));
  };
  const submit = async () => {
    const sent = edits;
    const rows = [...sent].map(([stateId, { value, base }]) => {
      // One that has merely been switched on or off since is still the one that was edited.
      const present = remindOf(states, stateId);
      const upon = isSame(base, present) ? present : base;
      return {
        ...value,
        stateId,
        minDays: Number(value.minDays),
        maxDays: Number(value.maxDays),
        ...(upon && { id: upon.id, rowVersion: upon.rowVersion }),
      };
    });
    const answer = await save({ rows });
    if (answer.status >= 400 || !answer.data) {
      const met = answer.code === "STALE" || answer.code === "NOT_FOUND" ? await meet(sent) : null;
      if (met && met.size > 0) return setProblems(met);
      const told = (answer.problems ?? []).map(({ path, msg }): [string, string] => {
        const at = Number(/^rows\.(\d+)/.exec(path)?.[1] ?? -1);
        return [rows[at]?.stateId ?? "", msg];
      });
      return setProblems(new Map(told.length > 0 ? told : [["", answer.msg ?? t("failed")]]));
    }
    const saved = new Map(answer.data.saved.map(({ stateId, id, rowVersion }) => [stateId, { id, rowVersion }]));
    setProblems(new Map());
    setChosen(new Set());
    toast.done(common("saved"));
    await reread();
    // What was typed while the save ran stays, upon what was saved.
    setEdits((before) => {
      const after = new Map(before);
      for (const row of rows) {
        const edit = after.get(row.stateId);
        const stored = saved.get(row.stateId);
        if (edit === sent.get(row.stateId)) after.delete(row.stateId);
        else if (edit && stored) after.set(row.stateId, { ...edit, base: { ...row, ...stored } });
      }
      return after;
    });
  };
  const rows = states.filter(({ stateId }) => chosen.has(stateId));
  const reminders = rows.flatMap(({ remind }) => remind ?? []);
  const name = ({ stateId, stateName }: RfiState) => (stateName ? `${stateName} (${stateId})` : stateId);
  return (
    <>
      {mayEdit ? (
        <div className={classes.bar}>
          {chosen.size > 0 ? (
            <>
              <span aria-live="polite">{common("selected", { count: chosen.size })}</span>
              <DaysInputs label={t("rfi.fill")} value={fill} onChange={(part) => setFill({ ...fill, ...part })} />
              <TypeBoxes label={t("rfi.fill")} value={fill.remindTypes} onChange={(types) => setFill({ ...fill, remindTypes: types })} />
              <Button onClick={() => edit(chosen, fill)}>{t("rfi.fillVerb")}</Button>
              <SwitchActions
                kind="RFI"
                rows={reminders}
                onDone={() => {
                  setChosen(new Set());
                  return reread();
                }}
              />
            </>
          ) : (
            <span className={classes.help}>{t("rfi.help")}</span>
          )}
          <Button variant="filled" ml="auto" loading={saving} disabled={edits.size === 0} onClick={submit}>
            {common("save")}
          </Button>
        </div>
      ) : null}
      {problems.has("") ? (
        <p className={classes.problem} role="alert">
          {problems.get("")}
        </p>
      ) : null}
      <ScrollRegion className={classes.scroll} label={t("tab.rfiReminders")}>
        <table className={classes.table} aria-label={t("tab.rfiReminders")}>
          <thead>
            <tr>
              {mayEdit ? (
                <th scope="col">
                  <Checkbox
                    size="xs"
                    aria-label={common("selectAll")}
                    checked={chosen.size === states.length}
                    indeterminate={chosen.size > 0 && chosen.size < states.length}
                    onChange={(event) => setChosen(new Set(event.currentTarget.checked ? states.map(({ stateId }) => stateId) : []))}
                  />
                </th>
              ) : null}
              <th scope="col">{t("column.state")}</th>
              <th scope="col" data-align="right">
                {common("du")}
              </th>
              <th scope="col">{t("column.waitDays")}</th>
              <th scope="col">{t("column.types")}</th>
              <th scope="col">{t("column.until")}</th>
              <th scope="col">{common("status")}</th>
              <th scope="col">{t("column.next")}</th>
            </tr>
          </thead>
          <tbody>
            {states.map((state) => {
              const value = shownValue(state);
              const label = name(state);
              return (
                <tr key={state.stateId}>
                  {mayEdit ? (
                    <td>
                      <Checkbox
                        size="xs"
                        aria-label={label}
                        checked={chosen.has(state.stateId)}
                        onChange={() =>
                          setChosen((before) => {
                            const after = new Set(before);
                            if (!after.delete(state.stateId)) after.add(state.stateId);
                            return after;
                          })
                        }
                      />
                    </td>
                  ) : null}
                  <th scope="row">{label}</th>
                  <td data-align="right">{formatNumber(state.dus)}</td>
                  {mayEdit ? (
                    <>
                      <td>
                        <DaysInputs
                          label={label}
                          value={value ?? { minDays: "", maxDays: "" }}
                          error={problems.get(state.stateId)}
                          onChange={(part) => edit([state.stateId], part)}
                        />
                      </td>
                      <td>
                        <TypeBoxes
                          label={label}
                          value={value?.remindTypes ?? []}
                          onChange={(types) => types.length > 0 && edit([state.stateId], { remindTypes: types })}
                        />
                      </td>
                      <td>
                        <Select
                          size="xs"
                          w={190}
                          clearable
                          searchable
                          clearButtonProps={{ "aria-label": common("clear") }}
                          aria-label={`${t("column.until")}: ${label}`}
                          placeholder={t("rfi.untilDefault")}
                          data={until}
                          value={value?.untilActivityId ? String(value.untilActivityId) : null}
                          onChange={(id) => edit([state.stateId], { untilActivityId: id === null ? null : Number(id) })}
                        />
                      </td>
                    </>
                  ) : (
                    <>
                      <td>{value ? daysOf(value) : emptyText}</td>
                      <td>{value ? typesOf(value) : emptyText}</td>
                      <td>{value ? untilOf(value) : t("rfi.untilDefault")}</td>
                    </>
                  )}
                  <td>
                    {state.remind ? (
                      <Tag tone={state.remind.status === "ENABLED" ? "ok" : "neutral"}>
                        {common(state.remind.status === "ENABLED" ? "enabled" : "disabled")}
                      </Tag>
                    ) : (
                      emptyText
                    )}
                  </td>
                  <td>{state.remind?.nextLocal ? shownLocal(state.remind.nextLocal) : emptyText}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  );
}

type DaysProps = {
  label: string;
  value: Pick<Edited, "minDays" | "maxDays">;
  error?: string | undefined;
  onChange: (part: Partial<Edited>) => void;
};

function DaysInputs({ label, value, error, onChange }: DaysProps) {
  const t = useTranslations("reminder-rules");
  return (
    <>
      <div className={classes.moment}>
        {(["minDays", "maxDays"] as const).map((field) => (
          <NumberInput
            key={field}
            size="xs"
            w={76}
            min={0}
            max={rfiDaysMax}
            allowDecimal={false}
            aria-label={`${t(`rfi.${field}`)}: ${label}`}
            placeholder={t(`rfi.${field}`)}
            value={value[field]}
            error={Boolean(error)}
            onChange={(days) => onChange({ [field]: days })}
          />
        ))}
      </div>
      {error ? (
        <p className={classes.problem} role="alert">
          {error}
        </p>
      ) : null}
    </>
  );
}

function TypeBoxes({ label, value, onChange }: { label: string; value: readonly RemindType[]; onChange: (types: RemindType[]) => void }) {
  const t = useTranslations("reminder-rules");
  return (
    <div className={classes.types}>
      {remindTypes.map((type) => (
        <Checkbox
          key={type}
          size="xs"
          label={t(`remindType.${type}`)}
          aria-label={`${t(`remindType.${type}`)}: ${label}`}
          checked={value.includes(type)}
          onChange={(event) => onChange(remindTypes.filter((one) => (one === type ? event.currentTarget.checked : value.includes(one))))}
        />
      ))}
    </div>
  );
}

function ExceptionTable({ states, choices, reread }: TableProps) {
  const t = useTranslations("reminder-rules");
  const common = useTranslations("common");
  const { can } = useSession();
  const [open, setOpen] = useState<RfiState | null>(null);
  const mayEdit = can("notice.edit");
  return (
    <>
      <ScrollRegion className={classes.scroll} label={t("tab.rfiExceptionReminders")}>
        <table className={classes.table} aria-label={t("tab.rfiExceptionReminders")}>
          <thead>
            <tr>
              <th scope="col">{t("column.state")}</th>
              <th scope="col">{t("column.tooLong")}</th>
              <th scope="col" data-align="right">
                {t("column.receivers")}
              </th>
              <th scope="col">{common("status")}</th>
              <th scope="col" aria-label={common("edit")} />
            </tr>
          </thead>
          <tbody>
            {states.map((state) => (
              <tr key={state.stateId}>
                <th scope="row">{state.stateName ? `${state.stateName} (${state.stateId})` : state.stateId}</th>
                <td>{state.remind ? t("rfi.moreThan", { days: state.remind.maxDays }) : t("rfi.noReminder")}</td>
                <td data-align="right">{formatNumber(state.remind ? receiverCount(state.remind.exceptionReceivers) : 0)}</td>
                <td>
                  {state.remind ? (
                    <Tag tone={state.remind.status === "ENABLED" ? "ok" : "neutral"}>
                      {common(state.remind.status === "ENABLED" ? "enabled" : "disabled")}
                    </Tag>
                  ) : (
                    emptyText
                  )}
                </td>
                <td data-align="right">
                  {mayEdit && state.remind ? <Button onClick={() => setOpen(state)}>{t("rfi.receivers")}</Button> : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {open?.remind ? <RfiReceiversDialog state={open} choices={choices} onClose={() => setOpen(null)} onSaved={reread} /> : null}
    </>
  );
}
