"use client";
import { Button, NumberInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { FormModal, type GuardedForm } from "#components/ui/form-modal.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { formatRange } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import { freezeActivities } from "#lib/scheduling/locks/actions.ts";
import type { LockAnswer } from "#lib/scheduling/locks/commands.ts";
import { freezeWithinDaysMax, lockDusMax } from "#lib/scheduling/locks/limits.ts";
import type { FreezePreview } from "#lib/scheduling/locks/queries.ts";
import { type LockChoices, LockFilters } from "./lock-filters.tsx";
import classes from "./locks.module.css";
import { ReasonField } from "./reason-field.tsx";
import { RejectedLocks } from "./rejected-locks.tsx";
import table from "./schedule.module.css";

type Props = { choices: LockChoices; opened: boolean; onClose: () => void; onFrozen: () => unknown };

/** Freezes what starts within the next days, after a look at what that is. */
export function FreezeDialog({ choices, opened, onClose, onFrozen }: Props) {
  const t = useTranslations("scheduling.freezes");
  return (
    <FormModal opened={opened} title={t("byCondition")} size={860} onClose={onClose}>
      {(guarded) => (opened ? <FreezeSteps choices={choices} onClose={onClose} onFrozen={onFrozen} {...guarded} /> : null)}
    </FormModal>
  );
}

function FreezeSteps({ choices, onEdited, onCancel, onClose, onFrozen }: Omit<Props, "opened"> & GuardedForm) {
  const t = useTranslations("scheduling.freezes");
  const lock = useTranslations("scheduling.lock");
  const columns = useTranslations("scheduling.schedule.column");
  const common = useTranslations("common");
  const id = useId();
  const [filters, setFilters] = useState<Filter[]>([]);
  const [withinDays, setWithinDays] = useState<number | string>(7);
  const [found, setFound] = useState<FreezePreview | null>(null);
  const [reason, setReason] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [result, setResult] = useState<LockAnswer | null>(null);
  const [searching, setSearching] = useState(false);
  const [freeze, freezing] = useAction(freezeActivities);
  const isEdited = useEdited(reason);
  useTellEdited(isEdited && !result, onEdited);

  const find = async () => {
    setSearching(true);
    const answer = await callDoor<FreezePreview>("planFreeze/preview", { filters, withinDays: Number(withinDays) }, { reading: true });
    setSearching(false);
    setFound(answer.status < 400 ? (answer.data ?? null) : null);
    setFault(answer.status < 400 ? null : (answer.problems?.[0]?.msg ?? answer.msg ?? lock("failed")));
  };
  const submit = async () => {
    if (!found) return;
    if (reason.trim() === "") return setFault(lock("reasonMissing"));
    const answer = await freeze({ items: found.items.map(({ duId, activityId }) => ({ duId, activityId })), reason });
    if (answer.status >= 400 || !answer.data) return setFault(answer.problems?.[0]?.msg ?? answer.msg ?? lock("failed"));
    await onFrozen();
    if (answer.data.rejected.length > 0) return setResult(answer.data);
    toast.done(lock("done", { done: answer.data.done, unchanged: answer.data.unchanged }));
    onClose();
  };

  if (result && found)
    return (
      <RejectedLocks
        answer={result}
        codes={new Map(found.items.map(({ duId, duCode }) => [duId, duCode]))}
        activities={new Map(found.items.map(({ activityId, activityName }) => [activityId, activityName]))}
        onClose={onClose}
      />
    );
  return (
    <div className={classes.form}>
      <LockFilters choices={choices} withoutSearch onChange={setFilters}>
        <NumberInput
          size="xs"
          w={180}
          aria-label={t("withinDays")}
          prefix={`${t("withinDays")} `}
          allowDecimal={false}
          allowNegative={false}
          max={freezeWithinDaysMax}
          hideControls
          value={withinDays}
          onChange={setWithinDays}
        />
        <Button loading={searching} disabled={withinDays === ""} onClick={find}>
          {t("find")}
        </Button>
      </LockFilters>
      {found && found.items.length === 0 ? <EmptyState title={t("foundNone")} /> : null}
      {found && found.items.length > 0 ? (
        <>
          <p role="status">
            {t("found", { dus: found.dus, activities: found.activities })}
            {found.dus > lockDusMax ? `; ${t("firstOnly", { max: lockDusMax })}` : ""}
          </p>
          <ScrollRegion className={classes.rejected} label={common("activities")}>
            <table className={table.table}>
              <thead>
                <tr>
                  <th scope="col">{columns("du")}</th>
                  <th scope="col">{columns("activity")}</th>
                  <th scope="col">{common("period")}</th>
                </tr>
              </thead>
              <tbody>
                {found.items.map((item, at) => (
                  <tr key={`${item.duId} ${item.activityId}`} data-first={found.items[at - 1]?.duId !== item.duId || undefined}>
                    <td>{item.duCode}</td>
                    <td>{item.activityName}</td>
                    <td>{formatRange(item.planStart, item.planEnd)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
          <ReasonField
            id={`${id}-reason`}
            value={reason}
            fault={fault}
            onChange={(next) => {
              setReason(next);
              setFault(null);
            }}
          />
        </>
      ) : fault ? (
        <p className={classes.fault} role="alert">
          {fault}
        </p>
      ) : null}
      <div className={classes.foot}>
        <Button onClick={onCancel}>{common("cancel")}</Button>
        <Button variant="filled" disabled={!found || found.items.length === 0} loading={freezing} onClick={submit}>
          {lock("apply.freeze")}
        </Button>
      </div>
    </div>
  );
}
