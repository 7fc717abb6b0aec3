"use client";
import { SegmentedControl } from "@mantine/core";
import { IconArrowsExchange } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import type { Column } from "#components/ui/table-parts.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { type ChangeKind, changeDusMax, changeKinds } from "#lib/activity-flows/changes/limits.ts";
import type { Filter } from "#lib/core/paging.ts";
import binding from "../binding.module.css";
import { DuChoice, type DuFacets } from "../du-choice.tsx";
import { useDuColumns } from "../du-columns.ts";
import type { DuRow } from "../flow-data.ts";
import { type FlowChoice, FlowPreview } from "../flow-preview.tsx";
import type { ChangeFlow } from "./change-data.ts";
import classes from "./changes.module.css";
import type { Draft } from "./new-change-page.tsx";

type Props = {
  draft: Draft;
  flows: readonly (ChangeFlow & FlowChoice)[];
  facets: DuFacets;
  deliveryType: string | null;
  maySubmit: boolean;
  onChange: (change: Partial<Draft>) => void;
};

/** First step: the DUs at the left, what they get at the right. */
export function DusStep({ draft, flows, facets, deliveryType, maySubmit, onChange }: Props) {
  const t = useTranslations("flow-changes");
  const flow = useTranslations("activity-flows");
  const common = useTranslations("common");
  const href = useHref();
  const [from, setFrom] = useState("");
  const all = useDuColumns();
  const columns = useMemo<Column<DuRow>[]>(
    () => all.filter((column) => ["code", "name", "region", "deliveryType", "flow"].includes(column.key)),
    [all],
  );
  const fixed = useMemo<Filter[]>(
    () => [
      from ? { field: "flowId", type: "eq", values: [Number(from)] } : { field: "bound", type: "eq", values: [true] },
      ...(deliveryType ? [{ field: "deliveryType", type: "eq" as const, values: [deliveryType] }] : []),
    ],
    [from, deliveryType],
  );
  const targets = flows.filter(({ status }) => status === "released");
  return (
    <div className={binding.body}>
      <DuChoice
        label={t("dus.left")}
        fixed={fixed}
        facets={deliveryType ? { ...facets, deliveryTypes: [] } : facets}
        columns={columns}
        chosen={draft.chosen}
        max={changeDusMax}
        onChosen={(chosen) => onChange({ chosen, mappingId: undefined })}
        empty={
          <EmptyState icon={<IconArrowsExchange size={28} stroke={1} aria-hidden="true" />} title={t("dus.empty")}>
            <LinkButton href={href("bindDus")}>{flow("unbind.toBind")}</LinkButton>
          </EmptyState>
        }
      >
        <select
          className={binding.narrow}
          aria-label={common("flow")}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        >
          <option value="">{flow("unbind.everyFlow")}</option>
          {flows.map((one) => (
            <option key={one.flowId} value={one.flowId}>
              {one.name}
            </option>
          ))}
        </select>
      </DuChoice>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached with the keyboard */}
      <aside className={binding.side} aria-label={t("dus.right")} tabIndex={0}>
        {maySubmit ? (
          <>
            <div className={classes.kindChoice}>
              <SegmentedControl
                fullWidth
                aria-label={t("column.kind")}
                data={changeKinds.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))}
                value={draft.kind}
                onChange={(kind) => onChange({ kind: kind as ChangeKind, mappingId: undefined })}
              />
            </div>
            {draft.kind === "change" ? (
              <FlowPreview flows={targets} flowId={draft.newFlowId} onFlow={(newFlowId) => onChange({ newFlowId, mappingId: undefined })} />
            ) : (
              <p className={binding.hint}>{t("dus.unbindHint")}</p>
            )}
          </>
        ) : (
          <p className={binding.hint}>{t("dus.noRight")}</p>
        )}
      </aside>
    </div>
  );
}
