"use client";
import { Button, Checkbox, Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { fixActivities, freezeActivities, unfixActivities, unfreezeActivities } from "#lib/scheduling/locks/actions.ts";
import type { LockAnswer } from "#lib/scheduling/locks/commands.ts";
import type { LockTarget } from "#lib/scheduling/locks/queries.ts";
import classes from "./locks.module.css";
import { ReasonField } from "./reason-field.tsx";
import { RejectedLocks } from "./rejected-locks.tsx";

export type LockVerb = "fix" | "unfix" | "freeze" | "unfreeze";

type Props = {
  verb: LockVerb;
  /** At most 200 DUs. */
  duIds: number[];
  /** Codes of the DUs, for the list of refused ones. */
  codes?: ReadonlyMap<number, string>;
  opened: boolean;
  onClose: () => void;
  onApplied: (answer: LockAnswer) => void;
};

/** Fixes or freezes chosen activities of the selected DUs, or ends that. */
export function LockDialog(props: Props) {
  const t = useTranslations("scheduling.lock");
  const common = useTranslations("common");
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      closeButtonProps={{ "aria-label": common("close") }}
      title={t(`title.${props.verb}`)}
      size={560}
    >
      {props.opened ? <LockForm key={props.verb} {...props} /> : null}
    </Modal>
  );
}

function LockForm({ verb, duIds, codes, onClose, onApplied }: Props) {
  const t = useTranslations("scheduling.lock");
  const common = useTranslations("common");
  const id = useId();
  const project = useProjectNumber();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [reason, setReason] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [result, setResult] = useState<LockAnswer | null>(null);
  const [fix, fixing] = useAction(fixActivities);
  const [unfix, unfixing] = useAction(unfixActivities);
  const [freeze, freezing] = useAction(freezeActivities);
  const [unfreeze, unfreezing] = useAction(unfreezeActivities);
  const asksReason = verb === "freeze" || verb === "unfreeze";
  const targets = useQuery({
    queryKey: ["lock-targets", project, duIds],
    queryFn: async ({ signal }) => dataOf(await callDoor<LockTarget[]>("plan/lockTargets", { duIds }, { signal })),
    retry: false,
  });

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (asksReason && reason.trim() === "") {
      setFault(t("reasonMissing"));
      document.getElementById(`${id}-reason`)?.focus();
      return;
    }
    const input = { duIds, activityIds: [...chosen] };
    const answer = asksReason
      ? await (verb === "freeze" ? freeze : unfreeze)({ ...input, reason })
      : await (verb === "fix" ? fix : unfix)(input);
    if (answer.status >= 400 || !answer.data) return setFault(answer.problems?.[0]?.msg ?? answer.msg ?? t("failed"));
    const { done, unchanged, rejected } = answer.data;
    if (done > 0) onApplied(answer.data);
    if (rejected.length > 0) return setResult(answer.data);
    toast.done(t("done", { done, unchanged }));
    onClose();
  };

  if (result)
    return (
      <RejectedLocks
        answer={result}
        codes={codes}
        activities={new Map((targets.data ?? []).map(({ activityId, name }) => [activityId, name]))}
        onClose={onClose}
      />
    );
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.help}>
        {t("dus", { count: duIds.length })} · {t(`help.${verb}`)}
      </p>
      <fieldset className={classes.activities} aria-busy={targets.isPending}>
        <legend>{t("activities")}</legend>
        {targets.isError ? (
          <ErrorPanel title={t("activitiesFailed")} failed={targets.error} onRetry={() => targets.refetch()} />
        ) : targets.data?.length === 0 ? (
          <EmptyState title={t("noActivities")} />
        ) : (
          targets.data?.map(({ activityId, name, dus, fixed, frozen }) => (
            <Checkbox
              key={activityId}
              size="xs"
              classNames={{ label: classes.check ?? "", description: classes.check ?? "" }}
              label={name}
              description={t("counts", { dus, fixed, frozen })}
              checked={chosen.has(activityId)}
              onChange={() => {
                const next = new Set(chosen);
                if (!next.delete(activityId)) next.add(activityId);
                setChosen(next);
              }}
            />
          ))
        )}
      </fieldset>
      {asksReason ? (
        <ReasonField
          id={`${id}-reason`}
          value={reason}
          fault={fault}
          onChange={(next) => {
            setReason(next);
            setFault(null);
          }}
        />
      ) : fault ? (
        <p className={classes.fault} role="alert">
          {fault}
        </p>
      ) : null}
      <div className={classes.foot}>
        <Button onClick={onClose}>{common("cancel")}</Button>
        <Button type="submit" variant="filled" disabled={chosen.size === 0} loading={fixing || unfixing || freezing || unfreezing}>
          {t(`apply.${verb}`)}
        </Button>
      </div>
    </form>
  );
}
