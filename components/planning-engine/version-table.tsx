"use client";
import { Button } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { Tag, type Tone } from "#components/ui/status-tag.tsx";
import { useSession } from "#components/ui/use-session.tsx";
import { emptyText, formatMinute } from "#lib/core/format.ts";
import type { VersionState } from "#lib/planning-engine/versions/limits.ts";
import type { EngineVersion } from "#lib/planning-engine/versions/queries.ts";
import classes from "./home.module.css";

/** Address of the list up to its page. */
export const versionsAddress = "engine/version/find/list";
/** What can be done with chosen versions. */
export type VersionVerb = "copy" | "rename" | "setCurrent" | "delete";

const tones: Record<VersionState, Tone> = { setting: "neutral", calculating: "info", finished: "ok", failed: "danger" };
const flags = ["isCurrent", "isPlanned", "inUse"] as const;

type Props = {
  /** The version that is open. */
  openId: number | null;
  onOpen: (version: EngineVersion) => void;
  onRun: (verb: VersionVerb, versions: EngineVersion[], clear: () => void) => void;
  empty: ReactNode;
};

/** The plan versions of the project: a click opens one, chosen ones have their verbs. [ENG-07] [ENG-18] */
export function VersionTable({ openId, onOpen, onRun, empty }: Props) {
  const t = useTranslations("engine-home");
  const common = useTranslations("common");
  const { can, offset } = useSession();
  const moment = (value: Date | null) => (value ? formatMinute(value, offset) : emptyText);
  const columns: Column<EngineVersion>[] = [
    {
      key: "versionName",
      label: t("version.name"),
      width: 220,
      sortable: true,
      render: (row) => (
        <span className={classes.named} data-open={row.id === openId || undefined} title={row.description ?? undefined}>
          <IconChevronRight size={12} stroke={1.7} aria-hidden="true" />
          <span>{row.versionName}</span>
          {row.id === openId ? <span className="visually-hidden">{t("version.opened")}</span> : null}
        </span>
      ),
    },
    {
      key: "status",
      label: common("status"),
      width: 120,
      sortable: true,
      render: (row) => <Tag tone={tones[row.status]}>{t(`status.${row.status}`)}</Tag>,
    },
    {
      key: "flags",
      label: t("version.flags"),
      width: 190,
      render: (row) => (
        <span className={classes.chips}>
          {flags.map((flag) =>
            row[flag] ? (
              <Tag key={flag} tone={flag === "isCurrent" ? "info" : "ok"}>
                {t(`flag.${flag}`)}
              </Tag>
            ) : null,
          )}
        </span>
      ),
    },
    { key: "source", label: t("version.source"), width: 110, render: (row) => t(`source.${row.source}`) },
    { key: "calcStartAt", label: t("version.calcStart"), width: 130, render: (row) => moment(row.calcStartAt) },
    { key: "calcEndAt", label: t("version.calcEnd"), width: 130, render: (row) => moment(row.calcEndAt) },
    { key: "creator", label: common("createdBy"), width: 110 },
    { key: "createdAt", label: common("createdAt"), width: 130, sortable: true, render: (row) => moment(row.createdAt) },
  ];
  const verbs = (rows: EngineVersion[], clear: () => void) => {
    const one = rows.length === 1;
    return (
      <>
        {one && !rows[0]?.isCurrent ? (
          <Button variant="filled" onClick={() => onRun("setCurrent", rows, clear)}>
            {t("version.setCurrent")}
          </Button>
        ) : null}
        {one ? <Button onClick={() => onRun("copy", rows, clear)}>{common("copy")}</Button> : null}
        {one ? <Button onClick={() => onRun("rename", rows, clear)}>{common("rename")}</Button> : null}
        <Button onClick={() => onRun("delete", rows, clear)}>{common("delete")}</Button>
      </>
    );
  };
  return (
    <DataTable<EngineVersion>
      label={t("version.label")}
      address={versionsAddress}
      columns={columns}
      rowKey={(row) => row.id}
      pageSize={20}
      onOpen={onOpen}
      {...(can("engine.edit") && { batch: verbs })}
      empty={empty}
    />
  );
}
