"use client";
import { Button, SegmentedControl, Switch } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconPackage } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { GridView } from "#components/grid/column-layout.ts";
import { EditStore } from "#components/grid/edit-store.ts";
import { GridController } from "#components/grid/grid-controller.ts";
import { GridStatus } from "#components/grid/grid-status.tsx";
import { PlanningGrid } from "#components/grid/planning-grid.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import listFrame from "#components/ui/list-frame.module.css";
import { blank, onDemand } from "#components/ui/on-demand.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { type Bucket, buckets } from "#lib/planning-engine/outputs/limits.ts";
import type { MaterialGrid } from "#lib/planning-engine/outputs/schema.ts";
import { BarSelect, SearchField } from "./bar-fields.tsx";
import { supplyCurve } from "./material-fill.ts";
import { type MaterialLine, MaterialSource, materialHead, pageItems } from "./material-source.ts";
import classes from "./outputs.module.css";

const SupplyChart = onDemand(() => import("./supply-chart.tsx").then((module) => module.SupplyChart), [], blank);
const locked = ["item", "measure"];
/** Items of a run bucket by bucket with all that moves them, and the chart of the item one is at. */
export function MaterialView({ runId }: { runId: number }) {
  const t = useTranslations("outputs.material");
  const all = useTranslations("outputs");
  const [bucket, setBucket] = useState<Bucket>("week");
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), 300);
  const [region, setRegion] = useState("");
  const [netOnly, setNetOnly] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const readOnly = { code: "READ_ONLY", cause: t("readOnly") };
  const [desk] = useState(() => {
    const source = new MaterialSource();
    const grid = new GridController<MaterialLine>(source, new EditStore({ unreadable: () => readOnly }));
    grid.readOnly = true;
    return { source, grid };
  });
  const { source, grid } = desk;
  source.words = { readOnly, measure: (measure) => t(`measure.${measure}`) };
  useSyncExternalStore(grid.subscribe, grid.getVersion, grid.getVersion);
  const ask = useMemo(
    () => () =>
      source.ask((page, signal) =>
        callDoor<MaterialGrid>(
          "engine/output/find/materialGrid",
          {
            runId,
            bucket,
            page,
            size: pageItems,
            filters: [
              ...(search ? [{ field: "search", type: "like", values: [search] }] : []),
              ...(region ? [{ field: "region", type: "eq", values: [region] }] : []),
              ...(netOnly ? [{ field: "net", type: "eq", values: [true] }] : []),
            ],
          },
          { signal },
        ),
      ),
    [source, runId, bucket, search, region, netOnly],
  );
  useEffect(() => void ask(), [ask]);
  const { first } = source;
  const columns = first?.columns;
  const head = useMemo(
    () => materialHead(columns ?? [], first?.bucket ?? "week", { item: t("item"), measure: t("what") }),
    [columns, first?.bucket, t],
  );
  const [view, setView] = useState<GridView>({ widths: {}, hidden: [], locked, folded: [] });
  const line = source.row(grid.active.row) ?? source.row(0);
  const item = line?.item;
  const points = useMemo(() => (item && columns ? supplyCurve(item, columns) : []), [item, columns]);
  const narrowed = search !== "" || region !== "" || netOnly;
  const drop = () => {
    setTyped("");
    setRegion("");
    setNetOnly(false);
  };
  const empty = () => {
    const { failed } = source;
    if (failed && failed.status !== 499) return <ErrorPanel title={all("failed")} failed={failed} onRetry={() => void ask()} />;
    if (!first || source.total > 0) return null;
    return (
      <EmptyState icon={<IconPackage size={28} stroke={1} aria-hidden="true" />} title={narrowed ? undefined : t("empty")}>
        {narrowed ? <Button onClick={drop}>{all("filter.drop")}</Button> : null}
      </EmptyState>
    );
  };
  return (
    <div className={`${listFrame.page} ${classes.screen}`}>
      <div className={listFrame.bar}>
        <SegmentedControl
          size="xs"
          aria-label={t("bucket")}
          data={buckets.map((value) => ({ value, label: t(`buckets.${value}`) }))}
          value={bucket}
          onChange={(value) => setBucket(value as Bucket)}
        />
        <SearchField fieldRef={field} label={t("search")} hint={t("searchHint")} value={typed} onChange={setTyped} />
        {first && first.regions.length > 1 ? (
          <BarSelect
            label={all("filter.region")}
            value={region}
            data={[
              { value: "", label: t("everyRegion") },
              ...first.regions.map((name) => ({ value: name, label: name === "CENTRAL" ? t("central") : name })),
            ]}
            onChange={setRegion}
          />
        ) : null}
        <Switch size="xs" label={t("netOnly")} checked={netOnly} onChange={(event) => setNetOnly(event.currentTarget.checked)} />
        <span className={classes.count} aria-live="polite">
          {first && !source.failed ? t("items", { count: first.total }) : ""}
        </span>
      </div>
      <PlanningGrid
        grid={grid}
        label={t("label")}
        head={head}
        view={view}
        onView={(part) => setView((before) => ({ ...before, ...part }))}
        lockedTitle={t("item")}
        onSave={() => {}}
        onSearch={() => field.current?.focus()}
        empty={empty()}
      />
      {item && points.length > 0 ? <SupplyChart itemCode={item.itemCode} points={points} /> : null}
      <GridStatus grid={grid}>
        <span>{t("help")}</span>
      </GridStatus>
    </div>
  );
}
