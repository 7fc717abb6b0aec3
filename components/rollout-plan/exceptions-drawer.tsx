"use client";

import { Button, Drawer } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import type { ExceptionPage } from "#lib/rollout-plan/exception-list/queries.ts";
import { type ExceptionKind, exceptionKinds } from "#lib/rollout-plan/exceptions/limits.ts";
import styles from "./exceptions-drawer.module.css";
import { filterInput, type PlanQuestion } from "./plan-filters.ts";
import type { FilterAnswer } from "./plan-source.ts";

const pageSize = 50;

type Props = {
  question: PlanQuestion;
  /** Counts changes of the rows: what was found before is looked for again. */
  moved: number;
  onFilter: (kind: ExceptionKind | null) => void;
  onOpen: (duId: number) => void;
  onClose: () => void;
};

/** What is wrong with the DUs of the plan: how many have each kind of exception, the kind the plan is narrowed to, and its DUs with the reason. */
export function ExceptionsDrawer({ question, moved, onFilter, onOpen, onClose }: Props) {
  const t = useTranslations("plan-views.exceptions");
  const plan = useTranslations("plan-grid");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const [size, setSize] = useState(pageSize);
  const kind = question.exception;
  // The counts are those of all kinds, whichever the plan is narrowed to.
  const input = { ...filterInput({ ...question, exception: null }), ids: false };
  const found = useQuery({
    queryKey: ["plan exceptions", project, input, kind, size, moved],
    queryFn: async ({ signal }) => {
      const { queryId } = dataOf(await callDoor<FilterAnswer>("wbs/filter", input, { signal }));
      const asked = { queryId, size, ...(kind ? { kinds: [kind] } : { kinds: [] }) };
      return dataOf(await callDoor<ExceptionPage>("wbs/getDUException", asked, { signal }));
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
  const { data } = found;
  return (
    <Drawer opened onClose={onClose} position="right" size={420} title={t("title")} closeButtonProps={{ "aria-label": common("close") }}>
      {found.isError && <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => void found.refetch()} />}
      <p className={styles.quiet}>{t("note")}</p>
      <ul className={styles.kinds} aria-busy={found.isFetching}>
        {exceptionKinds.map((name) => (
          <li key={name}>
            <button
              type="button"
              className={styles.kind}
              aria-pressed={name === kind}
              onClick={() => {
                setSize(pageSize);
                onFilter(name === kind ? null : name);
              }}
            >
              <span className={styles.name}>
                <b>{plan(`exception.${name}`)}</b>
                <small>{t(`about.${name}`)}</small>
              </span>
              <span className={styles.count} data-some={Boolean(data?.counts?.[name]) || undefined}>
                {data?.counts ? formatNumber(data.counts[name]) : ""}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {kind && data && (
        <section aria-label={plan(`exception.${kind}`)}>
          <ul className={styles.rows}>
            {data.records
              .filter((row) => row.kind === kind)
              .map((row) => (
                <li key={row.duId}>
                  <button type="button" className={styles.du} onClick={() => onOpen(row.duId)}>
                    {row.code}
                  </button>
                  <span className={styles.quiet}>
                    {row.detail.map(({ name, days }) => (days === undefined ? name : t("early", { name, days }))).join(", ")}
                  </span>
                </li>
              ))}
          </ul>
          {data.records.length === size && size < 4 * pageSize && (
            <Button onClick={() => setSize(size + pageSize)} loading={found.isFetching}>
              {t("more")}
            </Button>
          )}
        </section>
      )}
    </Drawer>
  );
}
