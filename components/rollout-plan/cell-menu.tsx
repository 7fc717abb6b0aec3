"use client";

import { Menu } from "@mantine/core";
import {
  IconArrowBackUp,
  IconArrowBarToDown,
  IconArrowBarToRight,
  IconCalendarPlus,
  IconCheckbox,
  IconCopy,
  IconEraser,
  IconHistory,
  IconLockOpen,
  IconLockQuestion,
  IconMapPin,
  IconTableAlias,
} from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { clearCells, copyCells, fillDown, fillRight, fillSeries } from "#components/grid/block-edits.ts";
import type { GridController } from "#components/grid/grid-controller.ts";
import type { CellAddress } from "#components/grid/grid-model.ts";
import { Kbd } from "#components/ui/kbd.tsx";
import styles from "./menu.module.css";
import type { PlanEntry } from "./plan-entries.ts";
import type { PlanRow } from "./plan-tile.ts";

type Props = {
  grid: GridController<PlanRow>;
  cell: CellAddress;
  point: { x: number; y: number };
  onHistory: () => void;
  /** Opens the site of the row. */
  onSite: () => void;
  onConflict: () => void;
  /** Opens the change of locked dates, where the person may change them. */
  onChangeLocked: (() => void) | null;
  /** Commands of other areas for the activity of the cell. */
  entries: readonly PlanEntry[];
  onEntry: (entry: PlanEntry) => void;
  onClose: () => void;
};

/** Menu of a cell: its history, why it is locked, copying, taking back. */
export function CellMenu({ grid, cell, point, onHistory, onSite, onConflict, onChangeLocked, entries, onEntry, onClose }: Props) {
  const t = useTranslations("plan-grid");
  const column = grid.columnAt(cell.column);
  const row = grid.source.row(cell.row);
  if (!column || row === undefined) return null;
  const edit = grid.editAt(cell.row, column);
  const lock = grid.source.locked(row, column);
  const outside = grid.source.cellState(row, column).outside;
  const dirty = [...grid.edits.all()].filter((given) => {
    const at = grid.source.indexOf(given.rowKey);
    const place = grid.layout.indexOf.get(given.columnKey);
    return at !== undefined && place !== undefined && grid.isSelected(at, place);
  });
  const historic = column.kind !== "bar" && column.kind !== "status" && !outside;
  const several = grid.range.top !== grid.range.bottom || grid.range.left !== grid.range.right;
  const icon = { size: 16, stroke: 1.4 };
  return (
    <Menu
      opened
      onChange={(open) => !open && onClose()}
      onClose={() => {
        onClose();
        grid.viewport?.focus();
      }}
      position="bottom-start"
      offset={2}
    >
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          aria-label={column.title}
          className={styles.anchor}
          style={{ left: point.x, top: point.y, width: 1, height: 1 }}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {edit?.conflict && <Menu.Item onClick={onConflict}>{t("cell.decide")}</Menu.Item>}
        {historic && (
          <Menu.Item leftSection={<IconHistory {...icon} />} onClick={onHistory}>
            {t("cell.history")}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconMapPin {...icon} />} onClick={onSite}>
          {t("cell.site")}
        </Menu.Item>
        {entries.map((entry) => (
          <Menu.Item key={entry.key} leftSection={entry.icon} onClick={() => onEntry(entry)}>
            {entry.label}
          </Menu.Item>
        ))}
        {onChangeLocked && (
          <Menu.Item leftSection={<IconLockOpen {...icon} />} onClick={onChangeLocked}>
            {t("cell.changeLocked")}
          </Menu.Item>
        )}
        {lock && !edit && (
          <Menu.Item
            leftSection={<IconLockQuestion {...icon} />}
            onClick={() => {
              grid.place(cell, false);
              grid.callOut = { cell, refusal: lock };
              grid.changed();
            }}
          >
            {t("cell.why")}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconCopy {...icon} />} rightSection={<Kbd>Ctrl C</Kbd>} onClick={() => copyCells(grid)}>
          {t("cell.copy")}
        </Menu.Item>
        <Menu.Item leftSection={<IconTableAlias {...icon} />} onClick={() => copyCells(grid, { headers: true })}>
          {t("cell.copyHeaders")}
        </Menu.Item>
        {!grid.readOnly && several && (
          <>
            <Menu.Item leftSection={<IconArrowBarToDown {...icon} />} rightSection={<Kbd>Ctrl D</Kbd>} onClick={() => fillDown(grid)}>
              {t("cell.fillDown")}
            </Menu.Item>
            <Menu.Item leftSection={<IconArrowBarToRight {...icon} />} rightSection={<Kbd>Ctrl R</Kbd>} onClick={() => fillRight(grid)}>
              {t("cell.fillRight")}
            </Menu.Item>
            <Menu.Item leftSection={<IconCalendarPlus {...icon} />} onClick={() => fillSeries(grid)}>
              {t("cell.fillSeries")}
            </Menu.Item>
          </>
        )}
        {dirty.length > 0 && (
          <Menu.Item leftSection={<IconArrowBackUp {...icon} />} onClick={() => grid.edits.revert(dirty)}>
            {t("cell.revert", { count: dirty.length })}
          </Menu.Item>
        )}
        {!grid.readOnly && (
          <Menu.Item leftSection={<IconEraser {...icon} />} rightSection={<Kbd>Del</Kbd>} onClick={() => clearCells(grid)}>
            {t("cell.clear")}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconCheckbox {...icon} />}
          rightSection={<Kbd>{t("cell.spaceKey")}</Kbd>}
          onClick={() => grid.toggleRow(cell.row)}
        >
          {t("cell.selectRow")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
