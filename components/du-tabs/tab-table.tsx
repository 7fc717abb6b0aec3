"use client";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import {
  IconDeviceFloppy,
  IconDownload,
  IconGitCompare,
  IconHistory,
  IconPlus,
  IconSearch,
  IconTrash,
  IconUpload,
  IconUsers,
} from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { Companions } from "#components/grid/cell-editor.tsx";
import { ChoiceCompanion } from "#components/grid/choice-companion.tsx";
import type { GridView } from "#components/grid/column-layout.ts";
import type { ColumnSort } from "#components/grid/grid-head.tsx";
import { GridStatus } from "#components/grid/grid-status.tsx";
import { PlanningGrid } from "#components/grid/planning-grid.tsx";
import { RowConflicts } from "#components/grid/row-conflicts.tsx";
import { type Command, useCommands } from "#components/ui/commands.ts";
import { Confirm } from "#components/ui/confirm.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import listFrame from "#components/ui/list-frame.module.css";
import { onDemand } from "#components/ui/on-demand.tsx";
import { toast } from "#components/ui/toast.ts";
import { useExport } from "#components/ui/use-export.ts";
import { useSearchText } from "#components/ui/use-search-text.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import type { Params } from "#lib/core/error.ts";
import { formatNumber } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import { filteredColumns, rowsMax, undoMinutes } from "#lib/du-tabs/limits.ts";
import type { Tab, TabColumns, TabFilters } from "#lib/du-tabs/queries.ts";
import classes from "./du-tabs.module.css";
import { HistoryDrawer } from "./history-drawer.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { NewRowDialog } from "./new-row-dialog.tsx";
import { setColumns, type TabDesk } from "./tab-desk.ts";
import { lockedColumns, tabHead } from "./tab-head.ts";
import { saveEdits } from "./tab-saving.ts";
import { UsersDialog } from "./users-dialog.tsx";

// The calendar comes with the first date that is opened.
const DateCompanion = onDemand(() => import("#components/grid/date-companion.tsx").then((module) => module.DateCompanion));
const companions: Companions = { choice: ChoiceCompanion, date: DateCompanion };
// As tall as the buttons beside them.
const low = () => ({ wrapper: { "--input-height": "28px" } });
/** Milliseconds a deletion can be taken back where it was made. */
const undoMs = 10_000;
const typingMs = 250;

type Props = {
  tab: Tab;
  desk: TabDesk;
  columns: TabColumns;
  filters: TabFilters;
  people: readonly { account: string; name: string }[];
  /** What is looked for at first. */
  search: string;
  /** Rows were made or deleted. */
  onCounts: () => void;
};
type Open = "new" | "import" | "export" | "history" | "users" | "delete" | "conflicts" | null;

/** The rows of a tab: looked for, edited in place, made, deleted, taken out and in as workbooks. */
export function TabTable({ tab, desk, columns, filters: offered, people, search: first, onCounts }: Props) {
  const t = useTranslations("du-tabs");
  const fields = useTranslations("dus.fields");
  const common = useTranslations("common");
  const errors = useTranslations("errors");
  const words = useTranslations("grid");
  const { can } = useSession();
  const { list, edits, grid, mayEdit } = desk;
  useSyncExternalStore(grid.subscribe, grid.getVersion, grid.getVersion);
  const { dirty, conflicts } = edits.counts;
  const [search, setSearch] = useState(first);
  const [sn, setSn] = useState("");
  const codes = useSearchText(setSearch);
  const sns = useSearchText(setSn);
  const [chosen, setChosen] = useState<Record<string, string>>({});
  const [[searched, number]] = useDebouncedValue([search.trim(), sn.trim()] as const, typingMs);
  const [view, setView] = useState<GridView>({ widths: {}, hidden: [], locked: lockedColumns, folded: [] });
  const [sorts, setSorts] = useState<readonly ColumnSort[]>([]);
  const [saving, setSaving] = useState(false);
  const [open, setOpen] = useState<Open>(null);
  const field = useRef<HTMLInputElement>(null);
  const [startExport, exporting] = useExport("duTabAttr/export");

  const title = useCallback((key: string) => (key === "sn" ? t("sheet.sn") : fields(key as "code")), [t, fields]);
  const head = useMemo(() => {
    const groups = { du: t("groups.du"), tab: t("groups.tab"), site: t("groups.site") };
    return tabHead(columns, mayEdit, { field: title, groups });
  }, [columns, mayEdit, title, t]);
  useEffect(() => setColumns(desk, head, columns), [desk, head, columns]);
  const ofDu = useMemo(() => new Set(columns.attributes.flatMap(({ key, level }) => (level === "DU" ? [key] : []))), [columns]);
  const refusal = useCallback(
    (code: string, params: Params) => ({ code, cause: errors.has(code as never) ? errors(code as never, params as never) : code }),
    [errors],
  );

  const ownFilters = useMemo<Filter[]>(
    () => [
      ...(searched ? [{ field: "search", type: "like" as const, values: [searched] }] : []),
      ...(number ? [{ field: "sn", type: "like" as const, values: [number] }] : []),
      ...Object.entries(chosen).flatMap(([key, value]): Filter[] =>
        value ? [{ field: key, type: "in", values: [key === "region" ? Number(value) : value] }] : [],
      ),
    ],
    [searched, number, chosen],
  );
  const isFiltered = ownFilters.length > 0;
  useEffect(() => {
    const filters: Filter[] = [{ field: "tabId", type: "eq", values: [tab.id] }, ...ownFilters];
    void list.ask({ filters, sort: sorts.map(({ key, dir }) => ({ field: key, dir })) });
  }, [list, tab.id, ownFilters, sorts]);
  // One click sorts, the next turns the order round, the third takes it back.
  const onSort = useCallback(
    (key: string) => setSorts(([now]) => (now?.key !== key ? [{ key, dir: "asc" }] : now.dir === "asc" ? [{ key, dir: "desc" }] : [])),
    [],
  );
  const reload = useCallback(async () => {
    onCounts();
    await list.ask();
  }, [list, onCounts]);

  const save = useCallback(async () => {
    if (edits.counts.dirty === 0) return toast.note(t("saving.nothing"));
    setSaving(true);
    const places = [...edits.all()].flatMap(({ rowKey }) => list.indexOf(rowKey) ?? []);
    const outcome = await saveEdits(tab.id, desk, ofDu, refusal);
    setSaving(false);
    if (outcome.failed) return toast.problem(outcome.failed.msg ?? t("saving.failed"));
    if (outcome.saved > 0) toast.done(t("saving.done", { count: outcome.saved }));
    if (outcome.stale > 0) toast.problem(t("saving.stale", { count: outcome.stale }));
    if (outcome.saved > 0 || outcome.stale > 0) await reload();
    // Rows that others changed are read again wherever they stand, so that both values can be seen.
    if (outcome.stale > 0) for (const place of places) await list.ensureRange(place, place);
    if (outcome.refused > 0) grid.toProblem(false);
  }, [tab.id, desk, list, edits, grid, ofDu, refusal, reload, t]);

  const ids = grid.rows.list.flatMap((key) => list.known.get(key)?.id ?? []);
  const restore = async (gone: readonly number[]) => {
    const answer = await callDoor("duTabAttr/restoreRows", { tabId: tab.id, ids: gone });
    if (answer.status >= 400) toast.problem(answer.msg ?? t("saving.failed"));
    else toast.done(t("deleting.undone", { count: gone.length }));
    await reload();
  };
  const remove = async () => {
    const answer = await callDoor<{ deleted: number[] }>("duTabAttr/deleteRows", { tabId: tab.id, ids });
    if (answer.status >= 400) return toast.problem(answer.problems?.[0]?.msg ?? answer.msg ?? t("saving.failed"));
    const gone = answer.data?.deleted ?? [];
    const lost = new Set(grid.rows.list.filter((key) => gone.includes(list.known.get(key)?.id ?? 0)));
    edits.revert([...edits.all()].filter(({ rowKey }) => lost.has(rowKey)));
    grid.rows.clear();
    toast.done(t("deleting.done", { count: gone.length }), {
      milliseconds: undoMs,
      actions: [{ label: t("deleting.undo"), run: () => void restore(gone) }],
    });
    await reload();
  };

  const commands = useMemo<Command[]>(
    () => [
      ...(mayEdit
        ? [
            { key: "du-tabs-save", label: common("save"), shortcut: "Ctrl S", run: () => void save() },
            ...(tab.keyMode === "SN" ? [{ key: "du-tabs-new", label: t("new.verb"), run: () => setOpen("new") }] : []),
            { key: "du-tabs-import", label: t("import.verb"), run: () => setOpen("import") },
          ]
        : []),
      { key: "du-tabs-export", label: t("export.verb"), run: () => setOpen("export") },
      { key: "du-tabs-history", label: t("history.verb"), run: () => setOpen("history") },
      { key: "du-tabs-search", label: common("search"), shortcut: "Ctrl F", run: () => field.current?.focus() },
    ],
    [mayEdit, tab.keyMode, common, t, save],
  );
  useCommands(commands);

  const drop = () => {
    setSearch("");
    setSn("");
    setChosen({});
  };
  const addVerbs = mayEdit ? (
    <>
      {tab.keyMode === "SN" ? <Button onClick={() => setOpen("new")}>{t("new.verb")}</Button> : null}
      <Button onClick={() => setOpen("import")}>{t("import.verb")}</Button>
    </>
  ) : null;
  const empty = () => {
    if (list.failed) return <ErrorPanel title={t("list.failed")} failed={list.failed} onRetry={() => list.ask()} />;
    if (!list.asked || list.total > 0) return null;
    if (isFiltered)
      return (
        <EmptyState>
          <Button onClick={drop}>{t("list.drop")}</Button>
        </EmptyState>
      );
    return (
      <EmptyState title={t("list.empty")} text={mayEdit ? t("list.emptyText") : t("list.emptyRead")}>
        {addVerbs}
      </EmptyState>
    );
  };
  const select = (key: string, label: string, data: { value: string; label: string }[]) =>
    data.length === 0 ? null : (
      <NativeSelect
        key={key}
        vars={low}
        aria-label={label}
        value={chosen[key] ?? ""}
        data={[{ value: "", label: t("list.all", { field: label }) }, ...data]}
        onChange={(event) => {
          const { value } = event.currentTarget;
          setChosen((before) => ({ ...before, [key]: value }));
        }}
      />
    );
  const isCounted = list.asked && list.counted;
  const active = list.known.get(grid.source.rowKey(grid.active.row) ?? "");
  const close = () => setOpen(null);
  const nameOf = (rowKey: string) => {
    const facts = list.known.get(rowKey);
    return [facts?.code, facts?.sn].filter(Boolean).join(" · ");
  };

  return (
    <div className={listFrame.page}>
      <div className={listFrame.bar} role="toolbar" aria-label={tab.name}>
        <span className={listFrame.count} aria-live="polite">
          {isCounted ? t("list.count", { count: list.total }) : ""}
        </span>
        {mayEdit ? null : <span className={listFrame.count}>{t("list.readOnly")}</span>}
        <span className={listFrame.grow} />
        {conflicts > 0 ? (
          <Button leftSection={<IconGitCompare size={16} stroke={1.4} />} onClick={() => setOpen("conflicts")}>
            {words("rowConflict.verb", { count: conflicts })}
          </Button>
        ) : null}
        {mayEdit && ids.length > 0 ? (
          <Button
            leftSection={<IconTrash size={16} stroke={1.4} />}
            disabled={ids.length > rowsMax}
            title={ids.length > rowsMax ? t("deleting.tooMany", { max: rowsMax }) : undefined}
            onClick={() => setOpen("delete")}
          >
            {t("deleting.verb", { count: ids.length })}
          </Button>
        ) : null}
        <Button leftSection={<IconHistory size={16} stroke={1.4} />} onClick={() => setOpen("history")}>
          {t("history.verb")}
        </Button>
        {can("attribute.edit") ? (
          <Button leftSection={<IconUsers size={16} stroke={1.4} />} onClick={() => setOpen("users")}>
            {t("users.verb")}
          </Button>
        ) : null}
        <Button leftSection={<IconDownload size={16} stroke={1.4} />} loading={exporting} onClick={() => setOpen("export")}>
          {t("export.verb")}
        </Button>
        {mayEdit ? (
          <>
            <Button leftSection={<IconUpload size={16} stroke={1.4} />} onClick={() => setOpen("import")}>
              {t("import.verb")}
            </Button>
            {tab.keyMode === "SN" ? (
              <Button leftSection={<IconPlus size={16} stroke={1.4} />} onClick={() => setOpen("new")}>
                {t("new.verb")}
              </Button>
            ) : null}
            <Button
              variant="filled"
              leftSection={<IconDeviceFloppy size={16} stroke={1.4} />}
              loading={saving}
              disabled={dirty === 0}
              onClick={save}
            >
              {common("save")}
              {dirty > 0 ? <span className={listFrame.number}>{formatNumber(dirty)}</span> : null}
            </Button>
          </>
        ) : null}
      </div>
      <search className={classes.filters} aria-label={t("list.filters")}>
        <TextInput
          ref={field}
          className={classes.search}
          vars={low}
          aria-label={t("list.search")}
          placeholder={t("list.searchHint")}
          leftSection={<IconSearch size={16} stroke={1.4} aria-hidden="true" />}
          value={search}
          onChange={(event) => codes.take(event.currentTarget.value)}
          onPaste={codes.onPaste}
        />
        {tab.keyMode === "SN" ? (
          <TextInput
            className={classes.sn}
            vars={low}
            aria-label={t("sheet.sn")}
            placeholder={t("list.snHint")}
            value={sn}
            onChange={(event) => sns.take(event.currentTarget.value)}
            onPaste={sns.onPaste}
          />
        ) : null}
        {select(
          "region",
          fields("region"),
          offered.regions.map(({ id, name }) => ({ value: String(id), label: name })),
        )}
        {filteredColumns.map((key) =>
          select(
            key,
            fields(key),
            offered[key].map((value) => ({ value, label: value })),
          ),
        )}
        {isFiltered ? (
          <Button variant="subtle" color="gray" onClick={drop}>
            {t("list.drop")}
          </Button>
        ) : null}
      </search>
      <PlanningGrid
        grid={grid}
        label={tab.name}
        head={head}
        view={view}
        onView={(part) => setView((before) => ({ ...before, ...part }))}
        lockedTitle={t("groups.du")}
        companions={companions}
        sorts={sorts}
        onSort={onSort}
        onSave={() => void save()}
        onSearch={() => field.current?.focus()}
        onConflict={() => setOpen("conflicts")}
        empty={empty()}
      />
      <GridStatus grid={grid} />
      {open === "new" ? <NewRowDialog tab={tab} attributes={columns.attributes} onMade={() => void reload()} onClose={close} /> : null}
      {open === "import" ? (
        <ImportDialog
          onDone={() => void reload()}
          onClose={() => {
            close();
            // What was written while the answer before was still on its way is seen at the latest now.
            void reload();
          }}
        />
      ) : null}
      {open === "history" ? <HistoryDrawer tab={tab} columns={columns} row={active ?? null} title={title} onClose={close} /> : null}
      {open === "users" ? <UsersDialog tab={tab} people={people} onClose={close} /> : null}
      {open === "conflicts" ? <RowConflicts desk={desk} nameOf={nameOf} onClose={close} /> : null}
      <Confirm
        opened={open === "export"}
        verb={t("export.verb")}
        title={t("export.title", { tab: tab.name })}
        onConfirm={() => startExport({ tabId: tab.id, filters: [{ field: "tabId", type: "eq", values: [tab.id] }, ...ownFilters] })}
        onClose={close}
      >
        {isCounted
          ? t(isFiltered ? "export.textFiltered" : "export.text", { count: list.total })
          : t(isFiltered ? "export.textOpenFiltered" : "export.textOpen")}
      </Confirm>
      <Confirm opened={open === "delete"} verb={t("deleting.verb", { count: ids.length })} danger onConfirm={remove} onClose={close}>
        {t("deleting.text", { minutes: undoMinutes })}
      </Confirm>
    </div>
  );
}
