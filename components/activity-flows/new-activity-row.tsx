"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useId, useState } from "react";
import { leadTimeDaysMax, nodeNameChars } from "#lib/activity-flows/graph/limits.ts";
import { parseLeadTime } from "#lib/activity-flows/graph/logic.ts";
import classes from "./flow-table.module.css";
import { nodeFlags } from "./node-flags.ts";

type Props = {
  row: number;
  proposals: string;
  onAdd: (name: string, leadTimeDays: number, predecessors: string) => string | null;
  onPaste: (text: string) => boolean;
  onMove: (step: number) => void;
};

/** The row that adds activities: name, days, predecessors (the row before is proposed), Enter. The focus stays for the next one. */
export function NewActivityRow({ row, proposals, onAdd, onPaste, onMove }: Props) {
  const t = useTranslations("activity-flows");
  const [name, setName] = useState("");
  const [days, setDays] = useState("1");
  /** Predecessors that were typed; without any the row before is proposed. */
  const [typed, setTyped] = useState<string | null>(null);
  const before = typed ?? (row === 0 ? "" : `${row}FS`);
  const [fault, setFault] = useState("");
  const note = useId();
  const add = () => {
    const leadTimeDays = parseLeadTime(days);
    const reason =
      name.trim() === ""
        ? t("form.nameMissing")
        : leadTimeDays === null
          ? t("field.leadTimeWrong", { max: leadTimeDaysMax })
          : onAdd(name.trim(), leadTimeDays, before);
    setFault(reason ?? "");
    if (reason !== null) return;
    setName("");
    setDays("1");
    setTyped(null);
    // The row that was typed is now an activity, and this one stands below it with the focus in its name.
    requestAnimationFrame(() => document.querySelector<HTMLInputElement>("[data-new-activity]")?.focus());
  };
  const keys = {
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      if (event.nativeEvent.isComposing) return;
      if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        add();
      } else if (event.key === "ArrowUp") {
        event.preventDefault();
        onMove(-1);
      }
    },
    "aria-describedby": fault ? note : undefined,
    "aria-invalid": fault !== "" || undefined,
    className: classes.cell,
    autoComplete: "off",
  };
  return (
    <tr className={classes.fresh}>
      <td className={classes.number}>{row + 1}</td>
      <td>
        <input
          {...keys}
          type="text"
          data-new-activity
          data-typing={name !== "" || undefined}
          data-place={`${row} name`}
          aria-label={t("table.newName")}
          placeholder={t("table.newPlaceholder")}
          list={proposals}
          maxLength={nodeNameChars}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onPaste={(event) => {
            const text = event.clipboardData.getData("text/plain");
            if (!/[\t\n]/.test(text.replace(/\r?\n$/, ""))) return;
            event.preventDefault();
            onPaste(text);
          }}
        />
      </td>
      <td>
        {fault ? (
          <span id={note} role="alert" className={classes.fault}>
            {fault}
          </span>
        ) : null}
      </td>
      <td>
        <input
          {...keys}
          type="text"
          inputMode="numeric"
          data-align="right"
          aria-label={t("table.newLeadTime")}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
      </td>
      <td>
        <input
          {...keys}
          type="text"
          aria-label={t("table.newPredecessors")}
          value={before}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </td>
      <td colSpan={nodeFlags.length + 1}>
        <Button size="compact-xs" disabled={name.trim() === ""} onClick={add}>
          {t("table.add")}
        </Button>
      </td>
    </tr>
  );
}
