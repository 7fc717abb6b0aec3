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
import { useAction } from "#components/ui/use-action.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { emptyText, formatNumber } from "#lib/core/format.ts";
import { saveRfi } from "#lib/reminders/rfi/actions.ts";
import { type RemindType, remindTypes, rfiDaysMax } from "#lib/reminders/rfi/limits.ts";
import type { RfiState } from "#lib/reminders/rfi/queries.ts";
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
  return (
    <>
      <PageBar
        tabs={(["rfiReminders", "rfiExceptionReminders"] as const).map((one) => ({ key: one, label: t(`tab.${one}`), href: href(one) }))}
        tab={screen}
      />
      {found.isError ? <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => found.refetch()} /> : null}
      {found.data && states.length === 0 ? (
        <EmptyState
          icon={<IconMapPinOff size={28} stroke={1} aria-hidden="true" />}
          title={t(found.data.brazil ? "empty.rfi" : "notBrazil")}
          text={found.data.brazil ? t("emptyText.rfi") : t("notBrazilText")}
        />
      ) : null}
      {states.length > 0 && screen === "rfiReminders" ? (
        <RfiTable key={versionsOf(states)} states={states} choices={choices} onSaved={() => found.refetch()} />
      ) : null}
      {states.length > 0 && screen === "rfiExceptionReminders" ? (
        <ExceptionTable states={states} choices={choices} onSaved={() => found.refetch()} />
      ) : null}
    </>
  );
}

/** Equal as long as nobody has saved: edits are kept over a mere reading. */
const versionsOf = (states: readonly RfiState[]) =>
  states.map(({ stateId, remind }) => `${stateId} ${remind?.rowVersion ?? 0} ${remind?.status ?? ""}`).join();

type Edited = { minDays: number | string; maxDays: number | string; remindTypes: RemindType[]; untilActivityId: number | null };
type TableProps = { states: readonly RfiState[]; choices: ReminderChoices; onSaved: () => unknown };

const fresh: Edited = { minDays: 5, maxDays: 15, remindTypes: ["MAIL"], untilActivityId: null };

function RfiTable({ states, choices, onSaved }: TableProps) {
  const t = useTranslations("reminder-rules");
  const common = useTranslations("common");
  const { can } = useSession();
  const mayEdit = can("notice.edit");
  const [save, saving] = useAction(saveRfi);
  const [edits, setEdits] = useState<ReadonlyMap<string, Edited>>(new Map());
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [fill, setFill] = useState<Edited>(fresh);
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const shownValue = ({ stateId, remind }: RfiState): Edited | null => edits.get(stateId) ?? remind;
  const edit = (ids: Iterable<string>, part: Partial<Edited>) =>
    setEdits((before) => {
      const after = new Map(before);
      for (const id of ids) {
        const present = states.find(({ stateId }) => stateId === id);
        after.set(id, { ...fresh, ...(present && shownValue(present)), ...part });
      }
      return after;
    });
  const submit = async () => {
    const rows = [...edits].map(([stateId, edited]) => {
      const remind = states.find((state) => state.stateId === stateId)?.remind;
      const { minDays, maxDays, remindTypes: types, untilActivityId } = edited;
      return {
        stateId,
        minDays: Number(minDays),
        maxDays: Number(maxDays),
        remindTypes: types,
        untilActivityId,
        ...(remind && { id: remind.id, rowVersion: remind.rowVersion }),
      };
    });
    const answer = await save({ rows });
    if (!answer.data) {
      const told = (answer.problems ?? []).map(({ path, msg }): [string, string] => {
        const at = Number(/^rows\.(\d+)/.exec(path)?.[1] ?? -1);
        return [rows[at]?.stateId ?? "", msg];
      });
      return setProblems(new Map(told.length > 0 ? told : [["", answer.msg ?? t("failed")]]));
    }
    setProblems(new Map());
    toast.done(common("saved"));
    await onSaved();
  };
  const rows = states.filter(({ stateId }) => chosen.has(stateId));
  const reminders = rows.flatMap(({ remind }) => remind ?? []);
  const until = choices.activities.map(({ id, name }) => ({ value: String(id), label: name }));
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
                  return onSaved();
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
                      <td>{value ? `${value.minDays} – ${value.maxDays}` : emptyText}</td>
                      <td>{value ? value.remindTypes.map((type) => t(`remindType.${type}`)).join(", ") : emptyText}</td>
                      <td>{until.find((one) => one.value === String(value?.untilActivityId))?.label ?? t("rfi.untilDefault")}</td>
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

function ExceptionTable({ states, choices, onSaved }: TableProps) {
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
      {open?.remind ? <RfiReceiversDialog state={open} choices={choices} onClose={() => setOpen(null)} onSaved={onSaved} /> : null}
    </>
  );
}
