"use client";
import { Button, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconDownload } from "@tabler/icons-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { useExport } from "#components/ui/use-export.ts";
import { useHref } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMoment } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import { detailLines } from "#lib/logs/audit/logic.ts";
import { type TemplateAct, templateActs } from "#lib/logs/template-log/limits.ts";
import type { TemplateLogRow } from "#lib/logs/template-log/queries.ts";
import { datePresets } from "#lib/rollout-plan/conditions/limits.ts";
import classes from "./plan-log.module.css";

const typingMs = 300;
/** Changed fields a line names. */
const namedFields = 4;

/** What became of the project's templates: made, changed, handed over, shared, deleted. */
export function TemplateLogPage() {
  const t = useTranslations("logs.template");
  const plan = useTranslations("plan-grid");
  const common = useTranslations("common");
  const { offset } = useSession();
  const [startExport, exporting] = useExport("templateLog/export");
  const [act, setAct] = useState<TemplateAct | null>(null);
  const [preset, setPreset] = useState<string | null>(null);
  const [text, setText] = useState("");
  const [searched] = useDebouncedValue(text.trim(), typingMs);
  const filters = useMemo<Filter[]>(
    () => [
      ...(act ? [{ field: "act", type: "eq" as const, values: [act] }] : []),
      ...(preset ? [{ field: "at", type: "preset" as const, values: [preset] }] : []),
      ...(searched ? [{ field: "name", type: "like" as const, values: [searched] }] : []),
    ],
    [act, preset, searched],
  );
  const changed = ({ act: what, detail }: TemplateLogRow) =>
    what === "changed"
      ? detailLines(detail)
          .filter((line) => line.changed)
          .map(({ field, before, after }) => (field === "body" ? t("body") : `${field}: ${before ?? "-"} → ${after ?? "-"}`))
          .slice(0, namedFields)
          .join("; ")
      : "";
  const columns: Column<TemplateLogRow>[] = [
    { key: "at", label: t("at"), width: 156, render: ({ at }) => formatMoment(at, offset) },
    { key: "actor", label: t("actor"), width: 160, render: ({ actor }) => actor ?? "-" },
    { key: "act", label: t("act"), width: 140, render: (row) => <Tag tone="neutral">{t(`acts.${row.act}`)}</Tag> },
    { key: "name", label: t("name"), width: 260, render: (row) => <TemplateName {...row} /> },
    { key: "detail", label: t("detail"), render: changed },
  ];
  return (
    <>
      <PageBar>
        <Button leftSection={<IconDownload size={16} stroke={1.4} />} loading={exporting} onClick={() => void startExport({ filters })}>
          {common("export")}
        </Button>
      </PageBar>
      <DataTable<TemplateLogRow>
        label={t("label")}
        address="templateLog/list"
        filters={filters}
        columns={columns}
        rowKey={({ id }) => id}
        bar={
          <>
            <Select
              size="xs"
              w={170}
              aria-label={t("act")}
              placeholder={t("act")}
              clearable
              data={templateActs.map((value) => ({ value, label: t(`acts.${value}`) }))}
              value={act}
              onChange={(value) => setAct(value as TemplateAct | null)}
            />
            <Select
              size="xs"
              w={140}
              aria-label={t("period")}
              placeholder={t("period")}
              clearable
              data={datePresets.map((value) => ({ value, label: plan(`period.${value}`) }))}
              value={preset}
              onChange={setPreset}
            />
            <TextInput
              size="xs"
              w={180}
              type="search"
              aria-label={t("name")}
              placeholder={t("name")}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          </>
        }
        empty={<EmptyState text={t("emptyText")} />}
      />
    </>
  );
}

/** The template's name; a layout of the plan opens in it. */
function TemplateName({ name, templateId, opens }: TemplateLogRow) {
  const href = useHref();
  const shown = name ?? `#${templateId}`;
  if (!opens) return shown;
  return (
    <Link className={classes.link} href={href("rolloutPlan", { query: { template: templateId } })} prefetch={false}>
      {shown}
    </Link>
  );
}
