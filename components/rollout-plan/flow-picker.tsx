"use client";

import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { DropPanel } from "#components/ui/drop-panel.tsx";
import { BarButton } from "./bar-button.tsx";
import styles from "./menu.module.css";

type Flow = { flowId: number; name: string; version: number };
type Props = { flows: readonly Flow[]; chosen: readonly number[]; onChange: (flowIds: number[]) => void };

/** Keeps DUs of some flows, and the columns of their activities. */
export function FlowPicker({ flows, chosen, onChange }: Props) {
  const t = useTranslations("plan-grid");
  const [opened, setOpened] = useState(false);
  const id = useId();
  const shown = flows.filter((flow) => chosen.includes(flow.flowId));
  const only = shown[0];
  const value =
    shown.length === 0 || !only
      ? t("flow.all")
      : shown.length === 1
        ? `${only.name} v${only.version}`
        : t("flow.several", { count: shown.length });
  return (
    <DropPanel
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      trapFocus
      padding={8}
      label={t("flow.label")}
      trigger={
        <BarButton
          label={t("flow.label")}
          value={value}
          aria-haspopup="dialog"
          aria-expanded={opened}
          onClick={() => setOpened((open) => !open)}
        />
      }
    >
      <div className={styles.values} style={{ minWidth: 220, marginTop: 0 }}>
        <div className={styles.value}>
          <input id={`${id}-all`} type="checkbox" checked={shown.length === 0} onChange={() => onChange([])} />
          <label htmlFor={`${id}-all`}>{t("flow.all")}</label>
        </div>
        {flows.map((flow) => (
          <div key={flow.flowId} className={styles.value}>
            <input
              id={`${id}-${flow.flowId}`}
              type="checkbox"
              checked={chosen.includes(flow.flowId)}
              onChange={(event) =>
                onChange(
                  event.currentTarget.checked
                    ? [...shown.map((given) => given.flowId), flow.flowId]
                    : shown.map((given) => given.flowId).filter((given) => given !== flow.flowId),
                )
              }
            />
            <label htmlFor={`${id}-${flow.flowId}`} title={flow.name}>
              {flow.name}
            </label>
            <span className={styles.number}>v{flow.version}</span>
          </div>
        ))}
      </div>
    </DropPanel>
  );
}
