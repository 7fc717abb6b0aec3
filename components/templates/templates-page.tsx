"use client";
import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconBookmarks } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { GroupFilter } from "#components/ui/group-filter.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMoment } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import { type TemplateKind, templateKinds } from "#lib/templates/limits.ts";
import type { ListedTemplate } from "#lib/templates/queries.ts";
import { DeleteTemplates } from "./delete-templates.tsx";
import { ForeignDialog } from "./foreign-dialog.tsx";
import { HandOverDialog } from "./hand-over-dialog.tsx";
import { PlanForm } from "./plan-form.tsx";
import { ReverseForm } from "./reverse-form.tsx";
import { ShareDialog } from "./share-dialog.tsx";

const address = "template/list";
const typingMs = 300;
type Kind = TemplateKind | "all";
type Asked = { what: "delete" | "transfer" | "share" | "foreign"; rows: ListedTemplate[]; clear: () => void };

/** The templates a person sees, by kind; the chosen ones are handed over, shared with other projects or deleted together. */
export function TemplatesPage() {
  const t = useTranslations("templates");
  const { can, offset } = useSession();
  const href = useHref();
  const client = useQueryClient();
  const [kind, setKind] = useState<Kind>("all");
  const [scope, setScope] = useState<"all" | "personal" | "public">("all");
  const [text, setText] = useState("");
  const [searched] = useDebouncedValue(text.trim(), typingMs);
  const [asked, setAsked] = useState<Asked | null>(null);
  const filters = useMemo<Filter[]>(
    () => [
      ...(kind === "all" ? [] : [{ field: "kind", type: "in" as const, values: [kind] }]),
      ...(scope === "all" ? [] : [{ field: "isPublic", type: "eq" as const, values: [scope === "public"] }]),
      ...(searched ? [{ field: "name", type: "like" as const, values: [searched] }] : []),
    ],
    [kind, scope, searched],
  );
  const columns: Column<ListedTemplate>[] = [
    { key: "name", label: t("list.name"), sortable: true, render: ({ name, remark }) => <span title={remark ?? ""}>{name}</span> },
    { key: "kind", label: t("dialog.kind"), width: 120, sortable: true, render: (row) => t(`kind.${row.kind}`) },
    {
      key: "objectType",
      label: t("form.objectType"),
      width: 100,
      render: (row) => t(`objectType.${row.objectType}`),
    },
    {
      key: "isPublic",
      label: t("list.scope"),
      width: 190,
      render: (row) => (
        <>
          <Tag tone="neutral">{t(row.isPublic ? "scope.public" : "scope.personal")}</Tag>{" "}
          {row.isProjectDefault ? (
            <Tag tone="neutral">{t("projectDefault")}</Tag>
          ) : row.sharedBy === null ? null : (
            <Tag tone="neutral">{t("shared")}</Tag>
          )}
        </>
      ),
    },
    { key: "owner", label: t("list.owner"), width: 160, sortable: true },
    { key: "usage", label: t("list.usage"), width: 110, sortable: true, render: ({ usage }) => t("list.users", { count: usage }) },
    {
      key: "updatedAt",
      label: t("list.updatedAt"),
      width: 156,
      sortable: true,
      render: ({ updatedAt }) => formatMoment(updatedAt, offset),
    },
  ];
  const [making, setMaking] = useState<"reverse" | "plan" | null>(null);
  const close = () => setAsked(null);
  const refresh = () => refreshList(client, address);
  const finish = async () => {
    asked?.clear();
    await refreshList(client, address);
  };
  return (
    <>
      <PageBar>
        {can("reverseTemplate.edit") && can("rollout.import") ? (
          <Button onClick={() => setMaking("reverse")}>{t("reverse.new")}</Button>
        ) : null}
        {can("template.project") ? <Button onClick={() => setMaking("plan")}>{t("plan.new")}</Button> : null}
      </PageBar>
      <DataTable<ListedTemplate>
        label={t("dialog.list")}
        address={address}
        rowKey={({ id }) => id}
        columns={columns}
        filters={filters}
        batch={(rows, clear) => (
          <>
            {can("rollout.import") && rows.length === 1 && rows[0]?.kind === "reverse" ? (
              <Button variant="filled" onClick={() => setAsked({ what: "foreign", rows, clear })}>
                {t("foreign.verb")}
              </Button>
            ) : null}
            {can("template.transfer") ? (
              <Button disabled={!rows.every((row) => row.mayTransfer)} onClick={() => setAsked({ what: "transfer", rows, clear })}>
                {t("transfer.verb")}
              </Button>
            ) : null}
            {can("template.share") ? <Button onClick={() => setAsked({ what: "share", rows, clear })}>{t("share.verb")}</Button> : null}
            <Button disabled={!rows.every((row) => row.mayChange)} onClick={() => setAsked({ what: "delete", rows, clear })}>
              {t("delete.verb", { count: rows.length })}
            </Button>
          </>
        )}
        bar={
          <>
            <GroupFilter<Kind>
              label={t("dialog.kind")}
              groups={(["all", ...templateKinds] as const).map((key) => ({ key, label: key === "all" ? t("all") : t(`kind.${key}`) }))}
              value={kind}
              onChange={setKind}
            />
            <GroupFilter
              label={t("list.scope")}
              groups={(["all", "personal", "public"] as const).map((key) => ({ key, label: key === "all" ? t("all") : t(`scope.${key}`) }))}
              value={scope}
              onChange={setScope}
            />
            <TextInput
              size="xs"
              w={180}
              type="search"
              aria-label={t("list.search")}
              placeholder={t("list.search")}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          </>
        }
        empty={
          <EmptyState icon={<IconBookmarks size={28} stroke={1} aria-hidden="true" />} title={t("dialog.none")} text={t("list.emptyText")}>
            <LinkButton href={href("rolloutPlan")}>{t("list.toPlan")}</LinkButton>
          </EmptyState>
        }
      />
      {making === "reverse" ? <ReverseForm onClose={() => setMaking(null)} onSaved={refresh} /> : null}
      {making === "plan" ? <PlanForm onClose={() => setMaking(null)} onSaved={refresh} /> : null}
      {asked?.what === "foreign" && asked.rows[0] ? <ForeignDialog template={asked.rows[0]} onClose={close} /> : null}
      {asked?.what === "transfer" ? <HandOverDialog templates={asked.rows} onClose={close} onDone={finish} /> : null}
      {asked?.what === "share" ? <ShareDialog templates={asked.rows} onClose={close} onDone={finish} /> : null}
      {asked?.what === "delete" ? <DeleteTemplates templates={asked.rows} onClose={close} onDone={finish} /> : null}
    </>
  );
}
