"use client";
import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type ReactNode, useId } from "react";
import { callDoor } from "#lib/core/call-door.ts";
import frame from "./card.module.css";
import { ErrorPanel } from "./error-panel.tsx";
import classes from "./own-list-card.module.css";
import { toast } from "./toast.ts";
import { dataOf } from "./use-list.ts";

/** The records of one of the person's own lists, and what follows a change of it. */
export type OwnList<Row> = {
  query: UseQueryResult<Row[]>;
  rows: readonly Row[];
  refresh: () => Promise<void>;
  /** Tells how a change ended and reads the list again; answers whether it was done. */
  settle: <Data>(
    answer: { status: number; msg?: string | undefined; data?: Data | null },
    done: (data: Data | null) => string,
  ) => Promise<boolean>;
};

/**
 * Reads a short list of the person's own things.
 * @param name under which it is kept on the page
 * @param address the call that answers `{ records }`
 */
export function useOwnList<Row>(name: string, address: string): OwnList<Row> {
  const t = useTranslations("session.preferences");
  const client = useQueryClient();
  const query = useQuery({
    queryKey: [name],
    queryFn: async ({ signal }) => dataOf(await callDoor<{ records: Row[] }>(address, {}, { signal })).records,
  });
  const refresh = () => client.invalidateQueries({ queryKey: [name] });
  return {
    query,
    rows: query.data ?? [],
    refresh,
    settle: async (answer, done) => {
      const isDone = answer.status < 400;
      if (isDone) toast.done(done(answer.data ?? null));
      else toast.problem(answer.msg ?? t("failed"));
      await refresh();
      return isDone;
    },
  };
}

type Props<Row> = {
  list: OwnList<Row>;
  title: string;
  /** What to say when the list cannot be read. */
  failed: string;
  note?: string;
  /** What to say when there is nothing in it. */
  none?: string;
  /** The verb of the whole list. */
  head?: ReactNode;
  columns: readonly { label: string; render: (row: Row) => ReactNode; isName?: boolean }[];
  /** The verb of a row and its name for those who hear the table. */
  verb: { label: string; render: (row: Row) => ReactNode };
  rowKey: (row: Row) => string | number;
  children?: ReactNode;
};

/** A card with a short list of the person's own things: read, empty or not to be read, each row with its verb. */
export function OwnListCard<Row>({ list, title, failed, note, none, head, columns, verb, rowKey, children }: Props<Row>) {
  const id = useId();
  const { query, rows } = list;
  return (
    <section className={frame.card} aria-labelledby={`${id}-title`} aria-busy={query.isFetching}>
      <div className={classes.head}>
        <h2 id={`${id}-title`}>{title}</h2>
        {head}
      </div>
      {note ? <p className={classes.note}>{note}</p> : null}
      {query.isError ? <ErrorPanel title={failed} failed={query.error} onRetry={() => query.refetch()} /> : null}
      {none && query.isSuccess && rows.length === 0 ? <p className={classes.note}>{none}</p> : null}
      {rows.length > 0 ? (
        <div className={classes.scroll}>
          <table className={classes.table}>
            <thead>
              <tr>
                {columns.map(({ label }) => (
                  <th key={label} scope="col">
                    {label}
                  </th>
                ))}
                <th scope="col">
                  <span className="visually-hidden">{verb.label}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={rowKey(row)}>
                  {columns.map(({ label, render, isName }) =>
                    isName ? (
                      <th key={label} scope="row">
                        {render(row)}
                      </th>
                    ) : (
                      <td key={label}>{render(row)}</td>
                    ),
                  )}
                  <td>{verb.render(row)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {children}
    </section>
  );
}
