"use client";
import { ActionIcon } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { formatNumber } from "#lib/core/format.ts";
import classes from "./data-table.module.css";
import { useSession } from "./use-session.tsx";

type Props = {
  page: number;
  size: number;
  total: number;
  /** Rows a page of this list may have at most, where its call takes fewer than others. */
  max?: number;
  onPage: (page: number) => void;
  onSize: (size: number) => void;
};

/** Foot of a table: which rows of how many, the pages, the size of a page. */
export function TableFoot({ page, size, total, max = Number.POSITIVE_INFINITY, onPage, onSize }: Props) {
  const t = useTranslations("ui");
  const { pageSizes } = useSession();
  const last = Math.max(1, Math.ceil(total / size));
  const from = total === 0 ? 0 : (page - 1) * size + 1;
  return (
    <div className={classes.foot}>
      <span>
        {t("table.range", { from: formatNumber(from), to: formatNumber(Math.min(total, page * size)), total: formatNumber(total) })}
      </span>
      <label>
        {t("table.size")}{" "}
        <select className={classes.size} value={size} onChange={(event) => onSize(Number(event.currentTarget.value))}>
          {pageSizes
            .filter((rows) => rows <= max)
            .map((rows) => (
              <option key={rows} value={rows}>
                {rows}
              </option>
            ))}
        </select>
      </label>
      <ActionIcon size={24} aria-label={t("table.previous")} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <IconChevronLeft size={16} stroke={1.4} />
      </ActionIcon>
      <span>{t("table.page", { page: formatNumber(page), last: formatNumber(last) })}</span>
      <ActionIcon size={24} aria-label={t("table.next")} disabled={page >= last} onClick={() => onPage(page + 1)}>
        <IconChevronRight size={16} stroke={1.4} />
      </ActionIcon>
    </div>
  );
}
