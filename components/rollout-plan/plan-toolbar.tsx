"use client";

import { Button } from "@mantine/core";
import { IconBookmarks, IconColumns3 } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import type { ReactNode, RefObject } from "react";
import type { SearchField } from "#lib/rollout-plan/conditions/limits.ts";
import { FlowPicker } from "./flow-picker.tsx";
import { PeriodPicker } from "./period-picker.tsx";
import styles from "./plan-bar.module.css";
import type { HeadFlow } from "./plan-columns.ts";
import type { PlanPeriod, PlanSearch } from "./plan-filters.ts";
import { SearchBox } from "./search-box.tsx";

type Props = {
  flows: readonly HeadFlow[];
  flowIds: readonly number[];
  period: PlanPeriod | null;
  search: PlanSearch | null;
  searchField: SearchField;
  searchRef: RefObject<HTMLInputElement | null>;
  onFlows: (flowIds: number[]) => void;
  onPeriod: (period: PlanPeriod | null) => void;
  onSearchField: (field: SearchField) => void;
  onSearch: (text: string | null) => void;
  /** Where the view has columns and templates. */
  onColumns?: () => void;
  onTemplates?: () => void;
  /** What else the view has: the choice of views, of colours. */
  children?: ReactNode;
};

/** The row below the page bar: flow, period, search, what the view has, templates, columns. */
export function PlanToolbar(props: Props) {
  const t = useTranslations("plan-grid");
  return (
    <div className={styles.bar}>
      {props.flows.length > 0 && <FlowPicker flows={props.flows} chosen={props.flowIds} onChange={props.onFlows} />}
      <PeriodPicker period={props.period} onChange={props.onPeriod} />
      <SearchBox
        field={props.searchField}
        search={props.search}
        onField={props.onSearchField}
        onSearch={props.onSearch}
        inputRef={props.searchRef}
      />
      <span className={styles.grow} />
      {props.children}
      {props.onTemplates ? (
        <Button variant="subtle" color="gray" leftSection={<IconBookmarks size={16} stroke={1.4} />} onClick={props.onTemplates}>
          {t("templates.button")}
        </Button>
      ) : null}
      {props.onColumns ? (
        <Button variant="subtle" color="gray" leftSection={<IconColumns3 size={16} stroke={1.4} />} onClick={props.onColumns}>
          {t("columns.button")}
        </Button>
      ) : null}
    </div>
  );
}
