"use client";
import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import {
  IconDeviceFloppy,
  IconDownload,
  IconFolderSymlink,
  IconGitCompare,
  IconPlus,
  IconSearch,
  IconTrash,
  IconUpload,
} from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { Companions } from "#components/grid/cell-editor.tsx";
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
import { toast } from "#components/ui/toast.ts";
import { useUnsaved } from "#components/ui/unsaved.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useExport } from "#components/ui/use-export.ts";
import { useSearchText } from "#components/ui/use-search-text.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatNumber } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import { deleteDus, deleteSites } from "#lib/rollout-plan/dus/actions.ts";
import { savedRowsMax } from "#lib/rollout-plan/dus/limits.ts";
import { ChoiceList } from "./choice-list.tsx";
import { type DuChoices, duHead, lockedColumns, siteHead, sortNames } from "./master-columns.ts";
import classes from "./master-page.module.css";
import { saveEdits } from "./master-saving.ts";
import { MoveDialog } from "./move-dialog.tsx";
import { NewRowDialog } from "./new-row-dialog.tsx";
import { useMasterDesk } from "./use-master-desk.ts";

const addresses = {
  dus: { list: "du/list", save: "du/save", export: "du/export" },
  sites: { list: "site/list", save: "site/save", export: "site/export" },
};
const companions: Companions = { choice: ChoiceList };

type Props = { what: "dus" | "sites"; choices: DuChoices; onImport: () => void };

/** A table of master data: search, edit in place, new rows, delete, import. */
export function MasterTable({ what, choices, onImport }: Props) {
  const t = useTranslations("dus");
  const common = useTranslations("common");
  const words = useTranslations("grid");
  const { can } = useSession();
  const mayEdit = can("du.edit");
  const mayDelete = can("du.delete");
  const mayMove = what === "dus" && can("du.migrate");
  const mayExport = can("rollout.export");
  const head = useMemo(
    () => (what === "dus" ? duHead(t, (key) => t(`values.${key}`), choices) : siteHead(t, (key) => t(`values.${key}`))),
    [what, t, choices],
  );
  const { desk, refusal } = useMasterDesk(addresses[what].list, head, mayEdit);
  const { list, edits, grid } = desk;
  useSyncExternalStore(grid.subscribe, grid.getVersion, grid.getVersion);
  const { dirty, conflicts } = edits.counts;
  useUnsaved(dirty > 0);
  const [search, setSearch] = useState("");
  const { take, onPaste } = useSearchText(setSearch);
  const [searched] = useDebouncedValue(search.trim(), 250);
  const [view, setView] = useState<GridView>({ widths: {}, hidden: [], locked: lockedColumns, folded: [] });
  const [saving, setSaving] = useState(false);
  const [making, setMaking] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const [moving, setMoving] = useState(false);
  const [comparing, setComparing] = useState(false);
  const [sorts, setSorts] = useState<readonly ColumnSort[]>([]);
  const [removeDus] = useAction(deleteDus);
  const [removeSites] = useAction(deleteSites);
  const field = useRef<HTMLInputElement>(null);

  const filters = useMemo<Filter[]>(() => (searched ? [{ field: "search", type: "like", values: [searched] }] : []), [searched]);
  const [startExport, exporting] = useExport(addresses[what].export);
  const exportAll = useCallback(() => void startExport({ filters }), [startExport, filters]);

  useEffect(() => {
    void list.ask({ filters, sort: sorts.map(({ key, dir }) => ({ field: sortNames[key] ?? key, dir })) });
  }, [list, filters, sorts]);
  // One click sorts, the next turns the order round, the third takes it back.
  const onSort = useCallback(
    (key: string) => setSorts(([now]) => (now?.key !== key ? [{ key, dir: "asc" }] : now.dir === "asc" ? [{ key, dir: "desc" }] : [])),
    [],
  );

  const save = useCallback(async () => {
    if (edits.counts.dirty === 0) return toast.note(t("saving.nothing"));
    setSaving(true);
    const places = [...edits.all()].flatMap(({ rowKey }) => list.indexOf(rowKey) ?? []);
    const outcome = await saveEdits(addresses[what].save, desk, refusal);
    setSaving(false);
    if (outcome.failed) return toast.problem(outcome.failed.msg ?? t("saving.failed"));
    if (outcome.saved > 0) toast.done(t("saving.done", { count: outcome.saved }));
    if (outcome.stale > 0) toast.problem(t("saving.stale", { count: outcome.stale }));
    if (outcome.saved > 0 || outcome.stale > 0) await list.ask();
    // Rows that others changed are read again wherever they stand, so that both values can be seen.
    if (outcome.stale > 0) for (const place of places) await list.ensureRange(place, place);
    if (outcome.refused > 0) grid.toProblem(false);
  }, [what, desk, list, edits, grid, refusal, t]);

  const remove = async () => {
    const ids = grid.rows.list.map(Number);
    const answer = what === "dus" ? await removeDus({ ids }) : await removeSites({ ids });
    if (answer.status >= 400) toast.problem(answer.problems?.[0]?.msg ?? answer.msg ?? t("saving.failed"));
    else if (answer.data) {
      const { ids: gone, rejected } = answer.data;
      const lost = new Set(gone.map(String));
      edits.revert([...edits.all()].filter(({ rowKey }) => lost.has(rowKey)));
      toast.done(t("deleting.done", { count: gone.length }));
      if (rejected.length > 0)
        toast.problem(
          t("deleting.kept", { count: rejected.length, reason: refusal(rejected[0]?.code ?? "", rejected[0]?.params ?? {}).cause }),
        );
    }
    grid.rows.clear();
    await list.ask();
  };

  const commands = useMemo<Command[]>(
    () => [
      ...(mayEdit
        ? [
            { key: `${what}-save`, label: common("save"), shortcut: "Ctrl S", run: () => void save() },
            { key: `${what}-new`, label: t(`new.${what}`), run: () => setMaking(true) },
            { key: `${what}-import`, label: t(`import.${what}`), run: onImport },
          ]
        : []),
      ...(mayExport ? [{ key: `${what}-export`, label: t(`export.${what}`), run: exportAll }] : []),
      { key: `${what}-search`, label: common("search"), shortcut: "Ctrl F", run: () => field.current?.focus() },
    ],
    [what, mayEdit, mayExport, common, t, save, onImport, exportAll],
  );
  useCommands(commands);

  const chosen = grid.rows.size;
  const nameOf = (rowKey: string) => String(list.known.get(rowKey)?.code ?? "");
  const empty = () => {
    if (list.failed) return <ErrorPanel title={t("list.failed")} failed={list.failed} onRetry={() => list.ask()} />;
    if (!list.asked || list.total > 0) return null;
    if (searched)
      return (
        <EmptyState>
          <Button onClick={() => setSearch("")}>{t("list.drop")}</Button>
        </EmptyState>
      );
    return (
      <EmptyState title={t(`list.empty.${what}`)}>
        {mayEdit ? (
          <Button variant="filled" onClick={onImport}>
            {t(`import.${what}`)}
          </Button>
        ) : null}
      </EmptyState>
    );
  };

  return (
    <div className={listFrame.page}>
      <div className={listFrame.bar} role="toolbar" aria-label={t(`tabs.${what}`)}>
        <TextInput
          ref={field}
          className={classes.search}
          vars={() => ({ wrapper: { "--input-height": "28px" } })}
          aria-label={t("list.search")}
          placeholder={t("list.searchHint")}
          leftSection={<IconSearch size={16} stroke={1.4} aria-hidden="true" />}
          value={search}
          onChange={(event) => take(event.currentTarget.value)}
          onPaste={onPaste}
        />
        <span className={listFrame.count} aria-live="polite">
          {list.asked && list.counted ? t("list.count", { count: list.total }) : ""}
        </span>
        <span className={listFrame.grow} />
        {conflicts > 0 ? (
          <Button leftSection={<IconGitCompare size={16} stroke={1.4} />} onClick={() => setComparing(true)}>
            {words("rowConflict.verb", { count: conflicts })}
          </Button>
        ) : null}
        {chosen > 0 && mayMove ? (
          <Button
            leftSection={<IconFolderSymlink size={16} stroke={1.4} />}
            disabled={chosen > savedRowsMax}
            title={chosen > savedRowsMax ? t("deleting.tooMany", { max: savedRowsMax }) : undefined}
            onClick={() => setMoving(true)}
          >
            {t("moving.verb", { count: chosen })}
          </Button>
        ) : null}
        {chosen > 0 && mayDelete ? (
          <Button
            leftSection={<IconTrash size={16} stroke={1.4} />}
            disabled={chosen > savedRowsMax}
            title={chosen > savedRowsMax ? t("deleting.tooMany", { max: savedRowsMax }) : undefined}
            onClick={() => setDeleting(true)}
          >
            {t(`deleting.${what}`, { count: chosen })}
          </Button>
        ) : null}
        {mayExport ? (
          <Button leftSection={<IconDownload size={16} stroke={1.4} />} loading={exporting} onClick={exportAll}>
            {common("export")}
          </Button>
        ) : null}
        {mayEdit ? (
          <>
            <Button leftSection={<IconUpload size={16} stroke={1.4} />} onClick={onImport}>
              {common("import")}
            </Button>
            <Button leftSection={<IconPlus size={16} stroke={1.4} />} onClick={() => setMaking(true)}>
              {t(`new.${what}`)}
            </Button>
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
      <PlanningGrid
        grid={grid}
        label={t(`tabs.${what}`)}
        head={head}
        view={view}
        onView={(part) => setView((before) => ({ ...before, ...part }))}
        lockedTitle={t(`tabs.${what}`)}
        companions={companions}
        sorts={sorts}
        onSort={onSort}
        onSave={() => void save()}
        onSearch={() => field.current?.focus()}
        onConflict={() => setComparing(true)}
        empty={empty()}
      />
      <GridStatus grid={grid} />
      <NewRowDialog what={what} choices={choices} opened={making} onClose={() => setMaking(false)} onMade={(code) => setSearch(code)} />
      {comparing ? <RowConflicts desk={desk} nameOf={nameOf} onClose={() => setComparing(false)} /> : null}
      {moving ? (
        <MoveDialog
          ids={grid.rows.list.map(Number)}
          refusal={refusal}
          onMoved={() => {
            grid.rows.clear();
            void list.ask();
          }}
          onClose={() => setMoving(false)}
        />
      ) : null}
      <Confirm
        opened={deleting}
        verb={t(`deleting.${what}`, { count: chosen })}
        danger
        onConfirm={remove}
        onClose={() => setDeleting(false)}
      >
        {t("deleting.text")}
      </Confirm>
    </div>
  );
}
