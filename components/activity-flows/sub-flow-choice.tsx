"use client";
import { useTranslations } from "next-intl";
import { lookup } from "#components/ui/query-client.ts";
import classes from "./editor-panel.module.css";
import { useSubFlows } from "./use-sub-flows.ts";

type Props = {
  id: string;
  /** null for none, undefined where the chosen activities differ. */
  value: number | null | undefined;
  disabled: boolean;
  onChange: (subFlowId: number | null) => void;
};

/** Choice of the sub-flow below an activity; one out of use is offered only where it is chosen already. */
export function SubFlowChoice({ id, value, disabled, onChange }: Props) {
  const t = useTranslations("sub-flows");
  const common = useTranslations("common");
  const found = useSubFlows(lookup);
  const offered = (found.data ?? []).filter((subFlow) => subFlow.status === "active" || subFlow.id === value);
  return (
    <label className={classes.field} htmlFor={id}>
      <span>{t("choice.label")}</span>
      <select
        id={id}
        className={classes.input}
        disabled={disabled}
        value={value === undefined ? "differ" : (value ?? "")}
        onChange={(event) => onChange(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))}
      >
        {value === undefined ? (
          <option value="differ" disabled>
            {t("choice.differ")}
          </option>
        ) : null}
        <option value="">{t("choice.none")}</option>
        {!found.data && typeof value === "number" ? (
          <option value={value}>{found.isError ? t("choice.failed") : common("loading")}</option>
        ) : null}
        {offered.map((subFlow) => (
          <option key={subFlow.id} value={subFlow.id}>
            {subFlow.name}
          </option>
        ))}
      </select>
      <small>{t("choice.help")}</small>
    </label>
  );
}
