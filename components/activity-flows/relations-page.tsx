"use client";
import { ActionIcon, Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconDownload, IconPencil, IconPlus, IconSearch, IconSitemap, IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { useCommands } from "#components/ui/commands.ts";
import { Confirm } from "#components/ui/confirm.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useHref } from "#components/ui/use-href.ts";
import { refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { deleteDuRelations } from "#lib/activity-flows/du-relations/actions.ts";
import { type RelationKind, relationKinds } from "#lib/activity-flows/du-relations/limits.ts";
import type { DuRelationRow } from "#lib/activity-flows/du-relations/queries.ts";
import type { Filter } from "#lib/core/paging.ts";
import { RelationDialog } from "./relation-dialog.tsx";
import { RelationGraph } from "./relation-graph.tsx";
import classes from "./relations.module.css";
import { SearchField } from "./search-field.tsx";

/** Relations between DUs as a table, and what is around the DU of the chosen row as a small graph. */
export function RelationsPage() {
  const t = useTranslations("activity-flows.relations");
  const table = useTranslations("activity-flows.table");
  const form = useTranslations("activity-flows.form");
  const href = useHref();
  const client = useQueryClient();
  const { can } = useSession();
  const [text, setText] = useState("");
  const [kind, setKind] = useState<RelationKind | "">("");
  const [dialog, setDialog] = useState<DuRelationRow | "new" | null>(null);
  const [around, setAround] = useState<DuRelationRow | null>(null);
  const [asked, setAsked] = useState<{ rows: DuRelationRow[]; clear: () => void } | null>(null);
  const [searched] = useDebouncedValue(text.trim(), 250);
  const [runDelete] = useAction(deleteDuRelations);
  const mayEdit = can("duRelation.edit");
  const commands = useMemo(() => (mayEdit ? [{ key: "new", label: t("new"), run: () => setDialog("new") }] : []), [mayEdit, t]);
  useCommands(commands);
  const filters = useMemo<Filter[]>(
    () => [
      ...(searched ? [{ field: "search", type: "like" as const, values: [searched] }] : []),
      ...(kind ? [{ field: "kind", type: "eq" as const, values: [kind] }] : []),
    ],
    [searched, kind],
  );
  const columns: Column<DuRelationRow>[] = [
    { key: "code", label: t("column.code"), sortable: true, render: (row) => `${row.code} · ${row.name}` },
    { key: "kind", label: t("column.kind"), width: 130, sortable: true, render: (row) => t(`kind.${row.kind}`) },
    { key: "relatedCode", label: t("column.relatedCode"), sortable: true, render: (row) => `${row.relatedCode} · ${row.relatedName}` },
    { key: "note", label: t("column.note") },
    ...(mayEdit
      ? [
          {
            key: "actions",
            label: table("actions"),
            width: 72,
            render: (row: DuRelationRow) => (
              <ActionIcon size={24} aria-label={t("actions", { code: row.code, related: row.relatedCode })} onClick={() => setDialog(row)}>
                <IconPencil size={16} stroke={1.4} />
              </ActionIcon>
            ),
          },
        ]
      : []),
  ];
  const remove = async () => {
    if (!asked) return;
    const answer = await runDelete({ ids: asked.rows.map((row) => row.id) });
    if (answer.status >= 400) toast.problem(answer.msg ?? form("failed"));
    else toast.done(t("deleted", { count: asked.rows.length }));
    asked.clear();
    setAround(null);
    await refreshList(client, "duRelation/list");
  };
  return (
    <>
      <PageBar>
        {mayEdit ? (
          <>
            <LinkButton
              href={href("duRelations", { query: { import: "duRelations" } })}
              icon={<IconDownload size={16} stroke={1.4} aria-hidden="true" />}
            >
              {t("importVerb")}
            </LinkButton>
            <Button variant="filled" leftSection={<IconPlus size={16} stroke={1.4} />} onClick={() => setDialog("new")}>
              {t("new")}
            </Button>
          </>
        ) : null}
      </PageBar>
      <div className={classes.body}>
        <div className={classes.list}>
          <DataTable<DuRelationRow>
            label={t("title")}
            address="duRelation/list"
            rowKey={(row) => row.id}
            columns={columns}
            filters={filters}
            onOpen={setAround}
            {...(mayEdit
              ? {
                  batch: (rows: DuRelationRow[], clear: () => void) => (
                    <Button leftSection={<IconTrash size={16} stroke={1.4} />} onClick={() => setAsked({ rows, clear })}>
                      {t("delete", { count: rows.length })}
                    </Button>
                  ),
                }
              : {})}
            bar={
              <>
                <SearchField label={t("search")} value={text} onChange={setText} />
                <select
                  className={classes.select}
                  aria-label={t("column.kind")}
                  value={kind}
                  onChange={(event) => setKind(event.currentTarget.value as RelationKind | "")}
                >
                  <option value="">{t("everyKind")}</option>
                  {relationKinds.map((value) => (
                    <option key={value} value={value}>
                      {t(`kind.${value}`)}
                    </option>
                  ))}
                </select>
              </>
            }
            empty={
              filters.length > 0 ? (
                <EmptyState icon={<IconSearch size={28} stroke={1} aria-hidden="true" />} />
              ) : (
                <EmptyState icon={<IconSitemap size={28} stroke={1} aria-hidden="true" />} title={t("empty")} text={t("emptyText")}>
                  {mayEdit ? (
                    <Button variant="filled" onClick={() => setDialog("new")}>
                      {t("new")}
                    </Button>
                  ) : null}
                </EmptyState>
              )
            }
          />
        </div>
        <aside className={classes.side} aria-label={t("show")}>
          {around ? <RelationGraph duId={around.duId} code={around.code} /> : <p className={classes.hint}>{t("graphHint")}</p>}
        </aside>
      </div>
      <RelationDialog row={dialog} onClose={() => setDialog(null)} />
      <Confirm
        opened={asked !== null}
        danger
        verb={t("delete", { count: asked?.rows.length ?? 0 })}
        onClose={() => setAsked(null)}
        onConfirm={remove}
      >
        {asked?.rows.map((row) => `${row.code} → ${row.relatedCode}`).join(", ")}
      </Confirm>
    </>
  );
}
