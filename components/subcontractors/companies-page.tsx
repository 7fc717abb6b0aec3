"use client";
import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconBuilding, IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { Tag } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { emptyText, formatNumber } from "#lib/core/format.ts";
import type { CompanyRow, CompanyType } from "#lib/resources/subcontractors/queries.ts";
import { CompanyDialog } from "./company-dialog.tsx";
import { useSubcontractorTabs } from "./subcontractor-tabs.ts";
import { useFound } from "./use-found.ts";

const address = "subcontractor/list";
const typingMs = 300;

/** The companies of the project: what they do, whether their agreement on data processing holds, and how much they have open. [RES-01] */
export function CompaniesPage() {
  const t = useTranslations("subcontractors");
  const common = useTranslations("common");
  const { can } = useSession();
  const client = useQueryClient();
  const tabs = useSubcontractorTabs();
  const types = useFound<CompanyType[]>("subconType/find", {}, { meta: lookup });
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text.trim(), typingMs);
  const [open, setOpen] = useState<CompanyRow | "new" | null>(null);
  const [asked, setAsked] = useState<{ rows: CompanyRow[]; clear: () => void } | null>(null);
  const filters = useMemo(() => (search ? [{ field: "search", type: "like" as const, values: [search] }] : []), [search]);
  const mayEdit = can("subcon.isolation");
  const typeNames = new Map((types.data ?? []).map(({ id, name }) => [id, name]));
  const columns: Column<CompanyRow>[] = [
    { key: "code", label: common("code"), width: 90, sortable: true },
    { key: "name", label: common("name"), sortable: true },
    {
      key: "types",
      label: t("field.types"),
      width: 220,
      render: ({ typeIds }) => (typeIds.length === 0 ? emptyText : typeIds.flatMap((id) => typeNames.get(id) ?? []).join(", ")),
    },
    {
      key: "dpaExpires",
      label: t("field.dpa"),
      width: 190,
      sortable: true,
      render: ({ dpa, dpaExpires }) => (
        <>
          <Tag tone={dpa === "ended" ? "danger" : dpa === "valid" ? "ok" : "neutral"}>{t(`dpa.${dpa}`)}</Tag> {dpaExpires ?? ""}
        </>
      ),
    },
    { key: "people", label: t("field.people"), width: 90, align: "right", render: ({ people }) => formatNumber(people) },
    { key: "openDus", label: t("field.openDus"), width: 110, align: "right", render: ({ openDus }) => formatNumber(openDus) },
    {
      key: "weekCapacity",
      label: t("field.weekCapacity"),
      width: 150,
      align: "right",
      render: ({ weekCapacity }) => formatNumber(weekCapacity),
    },
    {
      key: "status",
      label: common("status"),
      width: 100,
      sortable: true,
      render: ({ status }) => <Tag tone={status === "ACTIVE" ? "ok" : "neutral"}>{t(`status.${status}`)}</Tag>,
    },
  ];
  const remove = async (rows: CompanyRow[], clear: () => void) => {
    const answer = await callDoor("subcontractor/delete", { ids: rows.map(({ id }) => id) });
    if (answer.status >= 400) return toast.problem(answer.msg ?? common("failed"));
    clear();
    return refreshList(client, address);
  };
  return (
    <>
      <PageBar tabs={tabs} tab="companies">
        {mayEdit ? (
          <Button variant="filled" leftSection={<IconPlus size={14} stroke={1.7} />} onClick={() => setOpen("new")}>
            {t("company.new")}
          </Button>
        ) : null}
      </PageBar>
      <DataTable<CompanyRow>
        label={t("company.label")}
        address={address}
        rowKey={({ id }) => id}
        columns={columns}
        filters={filters}
        {...(mayEdit && {
          onOpen: setOpen,
          batch: (rows: CompanyRow[], clear: () => void) => <Button onClick={() => setAsked({ rows, clear })}>{common("delete")}</Button>,
        })}
        bar={
          <TextInput
            size="xs"
            w={220}
            type="search"
            aria-label={common("search")}
            placeholder={common("search")}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        }
        empty={
          <EmptyState icon={<IconBuilding size={28} stroke={1} aria-hidden="true" />} title={search ? undefined : t("company.empty")}>
            {mayEdit && !search ? <Button onClick={() => setOpen("new")}>{t("company.new")}</Button> : null}
          </EmptyState>
        }
      />
      {open ? (
        <CompanyDialog
          company={open === "new" ? null : open}
          types={types.data ?? []}
          onSaved={() => {
            setOpen(null);
            void refreshList(client, address);
          }}
          onClose={() => setOpen(null)}
        />
      ) : null}
      {asked ? (
        <Confirm
          opened
          danger
          verb={t("company.delete", { count: asked.rows.length })}
          onConfirm={() => remove(asked.rows, asked.clear)}
          onClose={() => setAsked(null)}
        >
          {asked.rows.map(({ name }) => name).join(", ")}
        </Confirm>
      ) : null}
    </>
  );
}
