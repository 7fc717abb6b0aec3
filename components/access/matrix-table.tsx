"use client";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useRef, useState } from "react";
import type { Grant } from "#lib/access/logic.ts";
import type { Matrix } from "#lib/access/matrix/queries.ts";
import { roleName } from "#lib/core/format.ts";
import type { PermissionCode, Role } from "#lib/permissions.ts";
import classes from "./access.module.css";

/** What one role may do for one code: the default, the project's own word (null: none) and what holds. */
export type MatrixCell = { role: Role; code: PermissionCode; byDefault: Grant; own: Grant | null; grant: Grant };

const marks: Record<Grant, string> = { Y: "●", O: "○", "": "" };
const steps: Record<string, [rows: number, columns: number]> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  PageDown: [10, 0],
  PageUp: [-10, 0],
};

type Props = {
  rows: Matrix["rows"];
  roles: readonly Role[];
  cellOf: (role: Role, code: PermissionCode, byDefault: Grant) => MatrixCell;
  busy: boolean;
  /** Undefined where the matrix may only be read. */
  onOpen: ((cell: MatrixCell) => void) | undefined;
};

/** Rights by roles: the arrows move, Enter, Space or a click changes a cell. */
export function MatrixTable({ rows, roles, cellOf, busy, onOpen }: Props) {
  const t = useTranslations("access.matrix");
  const meaning = useTranslations("access.codes");
  const [at, setAt] = useState<[row: number, column: number]>([0, 0]);
  const table = useRef<HTMLTableElement>(null);
  const row = Math.min(at[0], rows.length - 1);
  const column = Math.min(at[1], roles.length - 1);
  const nameOf = (grant: Grant) => t(grant || "none");

  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>) => {
    const step = steps[event.key];
    const edge = event.key === "Home" ? 0 : event.key === "End" ? roles.length - 1 : null;
    const code = rows[row];
    const role = roles[column];
    if ((event.key === "Enter" || event.key === " ") && onOpen && code && role) onOpen(cellOf(role, code.code, code.grants[role] ?? ""));
    else if (step || edge !== null) {
      const next: [number, number] = [
        Math.max(0, Math.min(rows.length - 1, row + (step?.[0] ?? 0))),
        edge ?? Math.max(0, Math.min(roles.length - 1, column + (step?.[1] ?? 0))),
      ];
      setAt(next);
      table.current?.querySelector<HTMLElement>(`[data-cell="${next[0]} ${next[1]}"]`)?.focus();
    } else return;
    event.preventDefault();
  };
  return (
    <section className={classes.matrixScroll} aria-label={t("label")} aria-busy={busy}>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are walked by the arrows is a grid */}
      <table className={classes.matrix} role="grid" aria-label={t("label")} ref={table} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <th scope="col">{t("right")}</th>
            {roles.map((role) => (
              <th key={role} scope="col">
                <span className={classes.vertical}>{roleName(role)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ code, grants }, rowAt) => (
            <tr key={code}>
              <th scope="row">
                {meaning(code)}
                <span className={classes.code}>{code}</span>
              </th>
              {roles.map((role, columnAt) => {
                const cell = cellOf(role, code, grants[role] ?? "");
                const values = { role: roleName(role), right: meaning(code), grant: nameOf(cell.grant) };
                return (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the cells belong to the table
                  <td
                    key={role}
                    data-cell={`${rowAt} ${columnAt}`}
                    data-own={cell.own !== null || undefined}
                    data-edit={onOpen ? true : undefined}
                    tabIndex={rowAt === row && columnAt === column ? 0 : -1}
                    aria-label={t(cell.own === null ? "cell" : "cellOwn", values)}
                    onFocus={() => setAt([rowAt, columnAt])}
                    onClick={() => onOpen?.(cell)}
                  >
                    {marks[cell.grant]}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
