"use client";
import { Button, Modal, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconAlertTriangle, IconDeviceFloppy, IconGitCompare, IconPlus, IconSearch, IconTrash } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { Companions } from "#components/grid/cell-editor.tsx";
import { ChoiceCompanion } from "#components/grid/choice-companion.tsx";
import type { GridView } from "#components/grid/column-layout.ts";
import { GridStatus } from "#components/grid/grid-status.tsx";
import { PlanningGrid } from "#components/grid/planning-grid.tsx";
import { RowConflicts } from "#components/grid/row-conflicts.tsx";
import { setColumns } from "#components/grid/row-desk.ts";
import { type Command, useCommands } from "#components/ui/commands.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import listFrame from "#components/ui/list-frame.module.css";
import { toast } from "#components/ui/toast.ts";
import { formatNumber } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import type { InputCheck } from "#lib/planning-engine/input-check/queries.ts";
import { type BlockName, blocks } from "#lib/planning-engine/inputs/logic.ts";
import { DeleteRows } from "./delete-rows.tsx";
import { FindingList } from "./finding-list.tsx";
import { ofProject } from "./input-blocks.ts";
import type { InputDesk } from "./input-desk.ts";
import { inputHead, lockedColumns } from "./input-head.ts";
import { cellKey } from "./input-rows.ts";
import { saveInputs } from "./input-saving.ts";
import classes from "./inputs.module.css";
import { useRefusal } from "./use-refusal.ts";

const companions: Companions = { choice: ChoiceCompanion };
// As tall as the buttons beside it.
const low = () => ({ wrapper: { "--input-height": "28px" } });
const typingMs = 250;

type Props = {
  name: BlockName;
  versionId: number;
  desk: InputDesk;
  mayEdit: boolean;
  warehouses: readonly { value: string; label: string }[];
  /** What the check says of this input. */
  check: Pick<InputCheck, "errors" | "warnings">;
  /** Asks for the check again, where it could not be had. */
  onCheckAgain: (() => void) | undefined;
  /** What is looked for at first. */
  search: string;
  /** Rows were written or deleted. */
  onChanged: () => void;
  /** Verbs of this input beside those every input has. */
  verbs: (verbs: { dirty: number; reload: () => Promise<void> }) => ReactNode;
};

/** The rows of an input: looked for, edited in place, added, pasted and deleted. [ENG-06] */
export function InputTable(props: Props) {
  const { name, versionId, desk, mayEdit, warehouses, check, onCheckAgain, search: first, onChanged, verbs } = props;
  const t = useTranslations("engine-home");
  const common = useTranslations("common");
  const errors = useTranslations("errors");
  const words = useTranslations("grid");
  const ui = useTranslations("ui.error");
  const refusal = useRefusal();
  const { list, rows, edits, grid } = desk;
  useSyncExternalStore(grid.subscribe, grid.getVersion, grid.getVersion);
  const { dirty, conflicts } = edits.counts;
  const [search, setSearch] = useState(first);
  const [searched] = useDebouncedValue(search.trim(), typingMs);
  const [wrongOnly, setWrongOnly] = useState(false);
  const [view, setView] = useState<GridView>({ widths: {}, hidden: [], locked: lockedColumns[name] ?? [], folded: [] });
  const [saving, setSaving] = useState(false);
  const [open, setOpen] = useState<"delete" | "conflicts" | "findings" | null>(null);
  const field = useRef<HTMLInputElement>(null);

  const head = useMemo(
    () =>
      inputHead(
        name,
        {
          field: (key) => t(`fields.${key}` as "fields.duCode"),
          value: (key, value) => t(`values.${key}.${value}` as "values.duType.both"),
          title: t(`blocks.${name}`),
        },
        warehouses,
      ),
    [name, warehouses, t],
  );
  useEffect(() => setColumns(desk, head), [desk, head]);
  const found = check.errors.length + check.warnings.length;
  const wrong = useMemo(
    () => ("duId" in blocks[name].fields ? [...new Set([...check.errors, ...check.warnings].flatMap(({ duId }) => duId ?? []))] : []),
    [name, check],
  );
  useEffect(() => {
    const texts = Map.groupBy(
      [...check.errors, ...check.warnings].filter(({ duId }) => duId !== null),
      ({ duId }) => cellKey(Number(duId), "duCode"),
    );
    rows.problems = new Map([...texts].map(([key, findings]) => [key, findings.map(({ text }) => text).join("\n")]));
    grid.changed();
  }, [rows, grid, check]);
  const narrowed = wrongOnly && wrong.length > 0;
  const filters = useMemo<Filter[]>(
    () => [
      ...(ofProject(name) ? [] : [{ field: "versionId", type: "eq" as const, values: [versionId] }]),
      ...(searched ? [{ field: "search", type: "like" as const, values: [searched] }] : []),
      ...(narrowed ? [{ field: "duId", type: "in" as const, values: wrong }] : []),
    ],
    [name, versionId, searched, narrowed, wrong],
  );
  useEffect(() => {
    void list.ask({ filters, sort: [] });
  }, [list, filters]);
  const reload = useCallback(async () => {
    onChanged();
    await list.ask();
  }, [list, onChanged]);

  const save = useCallback(async () => {
    if (edits.counts.dirty === 0) return toast.note(errors("NOTHING_MODIFIED"));
    setSaving(true);
    const outcome = await saveInputs(name, versionId, desk, refusal, (key) => desk.columns.get(key)?.title ?? key);
    setSaving(false);
    if (outcome.failed) return toast.problem(outcome.failed.problems?.[0]?.msg ?? outcome.failed.msg ?? t("saving.failed"));
    if (outcome.saved > 0) toast.done(t("saving.done", { count: outcome.saved }));
    if (outcome.refused > 0) toast.problem(t(outcome.stale > 0 ? "saving.stale" : "saving.refused", { count: outcome.refused }));
    if (outcome.saved > 0 || outcome.stale > 0) await reload();
    if (outcome.refused > 0) grid.toProblem(false);
  }, [name, versionId, desk, edits, grid, refusal, reload, errors, t]);

  const add = useCallback(() => {
    const row = rows.addRows(1);
    grid.place({ row, column: 0 }, false);
    grid.viewport?.focus();
  }, [rows, grid]);

  const commands = useMemo<Command[]>(
    () => [
      ...(mayEdit
        ? [
            { key: "engine-save", label: common("save"), shortcut: "Ctrl S", run: () => void save() },
            { key: "engine-add", label: t("rows.add"), run: add },
          ]
        : []),
      { key: "engine-search", label: common("search"), shortcut: "Ctrl F", run: () => field.current?.focus() },
    ],
    [mayEdit, common, t, save, add],
  );
  useCommands(commands);

  const askDelete = () => {
    if (grid.rows.size === 0) return toast.note(errors("NO_SELECTION", { object: "record" }));
    setOpen("delete");
  };
  const empty = () => {
    if (list.failed) return <ErrorPanel title={t("rows.failed")} failed={list.failed} onRetry={() => list.ask()} />;
    if (!list.asked || rows.total > 0) return null;
    if (searched || narrowed)
      return (
        <EmptyState>
          <Button
            onClick={() => {
              setSearch("");
              setWrongOnly(false);
            }}
          >
            {t("rows.showAll")}
          </Button>
        </EmptyState>
      );
    return (
      <EmptyState title={t("rows.empty")} text={mayEdit ? t(`rows.emptyText.${name}`) : t("rows.emptyRead")}>
        {mayEdit ? <Button onClick={add}>{t("rows.add")}</Button> : null}
      </EmptyState>
    );
  };
  const close = () => setOpen(null);
  const firstKey = head.groups[0]?.columns[0];
  const nameOf = (rowKey: string) => {
    const row = list.known.get(rowKey);
    return row && firstKey ? list.text(list.value(row, firstKey), firstKey, row) : rowKey;
  };

  return (
    <div className={listFrame.page}>
      <div className={listFrame.bar} role="toolbar" aria-label={t(`blocks.${name}`)}>
        <TextInput
          ref={field}
          className={classes.search}
          vars={low}
          aria-label={common("search")}
          placeholder={t(`searchHint.${name}`)}
          leftSection={<IconSearch size={16} stroke={1.4} aria-hidden="true" />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {wrong.length > 0 ? (
          <Button
            variant={narrowed ? "light" : "default"}
            aria-pressed={narrowed}
            leftSection={<IconAlertTriangle size={16} stroke={1.4} />}
            onClick={() => setWrongOnly((before) => !before)}
          >
            {t("rows.wrong", { count: wrong.length })}
          </Button>
        ) : null}
        {found > 0 ? (
          <Button variant="subtle" color="gray" onClick={() => setOpen("findings")}>
            {t("check.found", { errors: check.errors.length, warnings: check.warnings.length })}
          </Button>
        ) : null}
        {onCheckAgain ? (
          <>
            <span className={classes.problem} role="alert">
              {t("check.failed")}
            </span>
            <Button variant="subtle" color="gray" onClick={onCheckAgain}>
              {ui("retry")}
            </Button>
          </>
        ) : null}
        <span className={listFrame.count} aria-live="polite">
          {list.asked && list.counted ? common("rows", { count: list.total }) : ""}
        </span>
        <span className={listFrame.grow} />
        {conflicts > 0 ? (
          <Button leftSection={<IconGitCompare size={16} stroke={1.4} />} onClick={() => setOpen("conflicts")}>
            {words("rowConflict.verb", { count: conflicts })}
          </Button>
        ) : null}
        {verbs({ dirty, reload })}
        {mayEdit ? (
          <>
            <Button leftSection={<IconTrash size={16} stroke={1.4} />} onClick={askDelete}>
              {common("delete")}
            </Button>
            <Button leftSection={<IconPlus size={16} stroke={1.4} />} onClick={add}>
              {t("rows.add")}
            </Button>
            <Button
              variant="filled"
              leftSection={<IconDeviceFloppy size={16} stroke={1.4} />}
              loading={saving}
              disabled={dirty === 0}
              title={dirty === 0 ? errors("NOTHING_MODIFIED") : undefined}
              onClick={() => void save()}
            >
              {common("save")}
              {dirty > 0 ? <span className={listFrame.number}>{formatNumber(dirty)}</span> : null}
            </Button>
          </>
        ) : (
          <span className={listFrame.count}>{t("rows.readOnly")}</span>
        )}
      </div>
      <PlanningGrid
        grid={grid}
        label={t(`blocks.${name}`)}
        head={head}
        view={view}
        onView={(part) => setView((before) => ({ ...before, ...part }))}
        lockedTitle={t(`blocks.${name}`)}
        companions={companions}
        onSave={() => void save()}
        onSearch={() => field.current?.focus()}
        onConflict={() => setOpen("conflicts")}
        empty={empty()}
      />
      <GridStatus grid={grid} />
      {open === "conflicts" ? <RowConflicts desk={desk} nameOf={nameOf} onClose={close} /> : null}
      {open === "findings" ? (
        <Modal
          opened
          onClose={close}
          title={t("check.of", { name: t(`blocks.${name}`) })}
          size={640}
          closeButtonProps={{ "aria-label": common("close") }}
        >
          <FindingList
            check={check}
            lead={({ duCode }, text) =>
              duCode ? (
                <LinkLike
                  onClick={() => {
                    setSearch(duCode);
                    close();
                  }}
                >
                  {text}
                </LinkLike>
              ) : (
                text
              )
            }
          />
        </Modal>
      ) : null}
      {open === "delete" ? <DeleteRows name={name} desk={desk} onDone={reload} onClose={close} /> : null}
    </div>
  );
}

function LinkLike({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={classes.link} onClick={onClick}>
      {children}
    </button>
  );
}
