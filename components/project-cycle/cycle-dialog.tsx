"use client";
import { Button, Modal, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DayInput } from "#components/ui/day-input.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { phaseCodeChars, phaseNameChars, phasesMax, projectNumberChars } from "#lib/resources/project-cycle/limits.ts";
import type { Cycle } from "#lib/resources/project-cycle/queries.ts";
import classes from "./cycle.module.css";

type Row = { code: string; name: string; startDate: string; endDate: string };
type Props = { cycle: Cycle | null; onSaved: () => void; onClose: () => void };

/** The phases of a project number, one row each. */
export function CycleDialog({ cycle, onSaved, onClose }: Props) {
  const t = useTranslations("project-cycle");
  const common = useTranslations("common");
  const id = useId();
  const project = useProjectNumber();
  const [number, setNumber] = useState(cycle?.projectNumber ?? project);
  const [rows, setRows] = useState<Row[]>(
    (cycle?.phases ?? []).map(({ code, name, startDate, endDate }) => ({ code, name, startDate, endDate })),
  );
  const [busy, setBusy] = useState(false);
  const [faults, setFaults] = useState<{ path: string; msg: string }[]>([]);
  const [problem, setProblem] = useState<string>();
  const { close, question } = useCloseGuard(useEdited([number, rows]), onClose);
  const set = (at: number, given: Partial<Row>) => setRows((all) => all.map((row, place) => (place === at ? { ...row, ...given } : row)));
  const faultOf = (path: string) => faults.find((fault) => fault.path === path || fault.path.startsWith(`${path}.`))?.msg;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const answer = await callDoor("projectCycle/save", {
      projectNumber: number,
      phases: rows,
      ...(cycle && { id: cycle.id, rowVersion: cycle.rowVersion }),
    });
    setBusy(false);
    if (answer.status < 400) return onSaved();
    setFaults(answer.problems ?? []);
    setProblem((answer.problems ?? []).length === 0 ? (answer.msg ?? "") : undefined);
  };
  return (
    <Modal
      opened
      onClose={close}
      title={cycle ? cycle.projectNumber : t("new")}
      size={760}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <Field
          id={`${id}-number`}
          label={t("number")}
          required
          count={{ used: number.trim().length, max: projectNumberChars }}
          error={faultOf("projectNumber")}
        >
          <TextInput
            id={`${id}-number`}
            required
            value={number}
            error={Boolean(faultOf("projectNumber"))}
            aria-describedby={fieldNoteId(`${id}-number`)}
            onChange={(event) => setNumber(event.currentTarget.value)}
          />
        </Field>
        {rows.map((row, at) => (
          <div key={`${at + 1}`}>
            <div className={classes.row}>
              <TextInput
                aria-label={common("code")}
                placeholder={common("code")}
                maxLength={phaseCodeChars}
                value={row.code}
                onChange={(event) => set(at, { code: event.currentTarget.value })}
              />
              <TextInput
                aria-label={common("name")}
                placeholder={common("name")}
                maxLength={phaseNameChars}
                value={row.name}
                onChange={(event) => set(at, { name: event.currentTarget.value })}
              />
              <DayInput aria-label={common("from")} value={row.startDate} onChange={(startDate) => set(at, { startDate })} />
              <DayInput aria-label={common("to")} value={row.endDate} onChange={(endDate) => set(at, { endDate })} />
              <Button variant="subtle" color="gray" onClick={() => setRows((all) => all.filter((_, place) => place !== at))}>
                {common("delete")}
              </Button>
            </div>
            {faultOf(`phases.${at}`) ? (
              <p className={classes.fault} role="alert">
                {faultOf(`phases.${at}`)}
              </p>
            ) : null}
          </div>
        ))}
        <div>
          <Button
            disabled={rows.length >= phasesMax}
            onClick={() => setRows((all) => [...all, { code: "", name: "", startDate: "", endDate: "" }])}
          >
            {t("addPhase")}
          </Button>
        </div>
        <DialogFoot problem={problem} verb={common("save")} busy={busy} onClose={close} />
      </form>
      {question}
    </Modal>
  );
}
