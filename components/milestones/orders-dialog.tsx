"use client";
import { Button, Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useCallback, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DayInput } from "#components/ui/day-input.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field } from "#components/ui/field.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { dusPerCall } from "#lib/milestones/limits.ts";
import type { CreatedOrders } from "#lib/milestones/processes/commands.ts";
import type { TempProcess } from "#lib/milestones/processes/queries.ts";
import { DuBox, type NamedDu } from "./du-box.tsx";
import classes from "./milestones.module.css";

type Outcome = { made: number; rejected: { code: string; msg: string }[] };

/** Makes the work orders of a released process in the named DUs, and lists the DUs that got none with the reason. */
export function OrdersDialog({ process, onDone, onClose }: { process: TempProcess; onDone: () => unknown; onClose: () => void }) {
  const t = useTranslations("milestones.process");
  const common = useTranslations("common");
  const id = useId();
  const [named, setNamed] = useState<readonly NamedDu[]>([]);
  const [start, setStart] = useState("");
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { close, question } = useCloseGuard(useEdited([named, start]) && outcome === null, onClose);
  const onFound = useCallback((dus: readonly NamedDu[]) => setNamed(dus), []);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    const codes = new Map(named.map((du) => [du.id, du.code]));
    const result: Outcome = { made: 0, rejected: [] };
    let failed: string | undefined;
    for (let at = 0; at < named.length && failed === undefined; at += dusPerCall) {
      const duIds = named.slice(at, at + dusPerCall).map((du) => du.id);
      const answer = await callDoor<CreatedOrders>("tempProcess/createOrders", { id: process.id, duIds, start });
      if (!answer.data) failed = answer.problems?.[0]?.msg ?? answer.msg ?? common("failed");
      else {
        result.made += answer.data.ids.length;
        for (const { duId, msg } of answer.data.rejected) result.rejected.push({ code: codes.get(duId ?? 0) ?? "", msg });
      }
    }
    setBusy(false);
    setProblem(failed);
    await onDone();
    if (result.made > 0 || result.rejected.length > 0) setOutcome(result);
  };
  return (
    <Modal
      opened
      onClose={close}
      title={`${t("createOrders")}: ${process.name}`}
      size={560}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      {outcome ? (
        <div className={classes.form}>
          <p role="status">{t("made", { count: outcome.made })}</p>
          {problem ? (
            <p className={classes.problem} role="alert">
              {problem}
            </p>
          ) : null}
          {outcome.rejected.length > 0 ? (
            <ul className={classes.plain}>
              {outcome.rejected.map(({ code, msg }) => (
                <li key={code}>
                  {code}: <span className={classes.problem}>{msg}</span>
                </li>
              ))}
            </ul>
          ) : null}
          <div className={classes.foot}>
            <Button variant="filled" onClick={onClose}>
              {common("close")}
            </Button>
          </div>
        </div>
      ) : (
        <form className={classes.form} onSubmit={submit} noValidate>
          <p className={classes.note}>{t("ordersHelp", { count: process.steps.length })}</p>
          <DuBox label={t("orderDus")} onFound={onFound} />
          <Field id={`${id}-start`} label={t("start")} required width={140}>
            <DayInput id={`${id}-start`} value={start} onChange={setStart} />
          </Field>
          <DialogFoot
            problem={problem}
            verb={t("makeOrders", { count: named.length * process.steps.length })}
            busy={busy}
            disabled={named.length === 0 || start === ""}
            onClose={close}
          />
        </form>
      )}
      {question}
    </Modal>
  );
}
