"use client";

import { Button } from "@mantine/core";
import { IconBookmarks, IconColumns3 } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import type { RefObject } from "react";
import type { SearchField } from "#lib/rollout-plan/conditions/limits.ts";
import { FlowPicker } from "./flow-picker.tsx";
import { PeriodPicker } from "./period-picker.tsx";
import styles from "./plan-bar.module.css";
import type { HeadFlow } from "./plan-columns.ts";
import type { PlanPeriod, PlanSearch } from "./plan-filters.ts";
import { gridViewKey, type PlanView } from "./plan-views.ts";
import { SavedViewsButton } from "./saved-views-button.tsx";
import { SearchBox } from "./search-box.tsx";
import type { SavedViews } from "./use-saved-view.ts";
import { ViewSwitch } from "./view-switch.tsx";

type Props = {
  flows: readonly HeadFlow[];
  flowIds: readonly number[];
  period: PlanPeriod | null;
  search: PlanSearch | null;
  searchField: SearchField;
  searchRef: RefObject<HTMLInputElement | null>;
  views: readonly PlanView[];
  /** Key of the shown view. */
  view: string;
  onView: (key: string) => void;
  onFlows: (flowIds: number[]) => void;
  onPeriod: (period: PlanPeriod | null) => void;
  onSearchField: (field: SearchField) => void;
  onSearch: (text: string | null) => void;
  onColumns: () => void;
  onTemplates: () => void;
  savedViews: SavedViews;
};

/** The row below the page bar: flow, period, search, the view and the saved ones, templates, columns. */
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
      <ViewSwitch views={props.views} shown={props.view} onView={props.onView} />
      <SavedViewsButton views={props.savedViews} />
      <Button variant="subtle" color="gray" leftSection={<IconBookmarks size={16} stroke={1.4} />} onClick={props.onTemplates}>
        {t("templates.button")}
      </Button>
      {props.view === gridViewKey && (
        <Button variant="subtle" color="gray" leftSection={<IconColumns3 size={16} stroke={1.4} />} onClick={props.onColumns}>
          {t("columns.button")}
        </Button>
      )}
    </div>
  );
}
