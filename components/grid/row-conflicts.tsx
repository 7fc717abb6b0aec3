"use client";
import { Button, Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useSyncExternalStore } from "react";
import { useSession } from "#components/ui/use-session.tsx";
import wrapped from "#components/ui/wrap-table.module.css";
import { formatMoment } from "#lib/core/format.ts";
import type { CellEdit, CellValue } from "./grid-model.ts";
import classes from "./row-conflicts.module.css";
import type { RowDesk } from "./row-desk.ts";

type Props = {
  desk: RowDesk;
  /** What a row is called by. */
  nameOf: (rowKey: string) => string;
  onClose: () => void;
};

/** Cells that others changed while they were edited here: what is kept, one by one or all at once. Nothing is written before the save. */
export function RowConflicts({ desk, nameOf, onClose }: Props) {
  const t = useTranslations("grid.rowConflict");
  const common = useTranslations("common");
  const { offset } = useSession();
  const { edits, list, columns, grid } = desk;
  useSyncExternalStore(grid.subscribe, grid.getVersion, grid.getVersion);
  const found = [...edits.all()].filter(({ conflict }) => conflict !== undefined);
  const text = ({ columnKey, rowKey }: CellEdit, value: CellValue) => {
    const column = columns.get(columnKey);
    return (column && list.text(value, column, list.rowOf(rowKey))) || "-";
  };
  const decide = (cells: readonly CellEdit[], choice: "mine" | "theirs") => {
    edits.resolve(cells, choice);
    if (cells.length === found.length) onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("title", { count: found.length })}
      size={720}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <p className={classes.quiet}>{t("text")}</p>
      <table className={wrapped.table} aria-label={t("title", { count: found.length })}>
        <thead>
          <tr>
            {(["row", "column", "mine", "theirs"] as const).map((key) => (
              <th key={key} scope="col">
                {t(key)}
              </th>
            ))}
            <th scope="col">
              <span hidden>{t("keep")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {found.map((edit) => {
            const { by = "", at = "", theirs = null } = edit.conflict ?? {};
            return (
              <tr key={`${edit.rowKey} ${edit.columnKey}`}>
                <th scope="row">{nameOf(edit.rowKey)}</th>
                <td>{columns.get(edit.columnKey)?.title}</td>
                <td>{text(edit, edit.mine)}</td>
                <td>
                  {text(edit, theirs)}
                  <small className={classes.by}>{at ? `${by} ${formatMoment(new Date(at), offset)}` : by}</small>
                </td>
                <td>
                  <span className={wrapped.verbs}>
                    <Button size="xs" onClick={() => decide([edit], "mine")}>
                      {t("keepMine")}
                    </Button>
                    <Button size="xs" onClick={() => decide([edit], "theirs")}>
                      {t("takeTheirs")}
                    </Button>
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <div className={classes.foot}>
        <Button onClick={() => decide(found, "theirs")}>{t("allTheirs")}</Button>
        <Button variant="filled" data-autofocus onClick={() => decide(found, "mine")}>
          {t("allMine")}
        </Button>
      </div>
    </Modal>
  );
}
