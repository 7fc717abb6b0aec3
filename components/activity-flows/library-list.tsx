"use client";
import { Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconListCheck, IconPlayerPause } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { disableActivities } from "#lib/activity-flows/library/actions.ts";
import { formatNumber } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import type { ActivityRow } from "./flow-data.ts";
import classes from "./flow-list.module.css";
import { LibraryDialog } from "./library-dialog.tsx";
import { SearchField } from "./search-field.tsx";

/** The activities of the project, each with the permanent place it has in every plan. */
export function LibraryList({ onCreate }: { onCreate: () => void }) {
  const t = useTranslations("activity-flows");
  const common = useTranslations("common");
  const { can } = useSession();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [editing, setEditing] = useState<ActivityRow | null>(null);
  const [asked, setAsked] = useState<{ rows: ActivityRow[]; clear: () => void } | null>(null);
  const [searched] = useDebouncedValue(name.trim(), 250);
  const [disable] = useAction(disableActivities);
  const mayEdit = can("flow.edit");
  const filters = useMemo<Filter[]>(() => (searched ? [{ field: "name", type: "like", values: [searched] }] : []), [searched]);
  const columns: Column<ActivityRow>[] = [
    { key: "slot", label: t("library.slot"), title: t("library.slotTitle"), width: 72, align: "right", sortable: true },
    { key: "code", label: common("code"), width: 160, sortable: true },
    { key: "name", label: common("name"), sortable: true, render: (row) => <span className={classes.name}>{row.name}</span> },
    { key: "kind", label: t("library.kind"), width: 180, sortable: true, render: (row) => t(`kind.${row.kind}`) },
    { key: "automatic", label: t("library.automatic"), width: 110, render: (row) => (row.automatic ? common("yes") : common("no")) },
    { key: "flowCount", label: t("list.flows"), width: 96, align: "right", sortable: true, render: (row) => formatNumber(row.flowCount) },
    {
      key: "disabled",
      label: common("status"),
      width: 110,
      render: (row) => <Tag tone={row.disabled ? "neutral" : "ok"}>{common(row.disabled ? "disabled" : "enabled")}</Tag>,
    },
  ];
  return (
    <>
      <DataTable<ActivityRow>
        label={t("list.library")}
        address="activityLibrary/list"
        rowKey={(row) => row.id}
        columns={columns}
        filters={filters}
        {...(mayEdit
          ? {
              onOpen: (row: ActivityRow) => !row.disabled && setEditing(row),
              batch: (rows: ActivityRow[], clear: () => void) => (
                <Button
                  leftSection={<IconPlayerPause size={16} stroke={1.4} />}
                  disabled={rows.some((row) => row.flowCount > 0 || row.disabled)}
                  title={rows.some((row) => row.flowCount > 0) ? t("library.disableUnusedOnly") : undefined}
                  onClick={() => setAsked({ rows, clear })}
                >
                  {t("library.disable", { count: rows.length })}
                </Button>
              ),
            }
          : {})}
        bar={<SearchField label={t("library.search")} value={name} onChange={setName} />}
        empty={
          <EmptyState
            icon={<IconListCheck size={28} stroke={1} aria-hidden="true" />}
            title={searched ? undefined : t("library.empty")}
            text={searched ? undefined : t("library.emptyText")}
          >
            {searched ? <Button onClick={() => setName("")}>{common("clear")}</Button> : null}
            {mayEdit && !searched ? (
              <Button variant="filled" onClick={onCreate}>
                {t("library.new")}
              </Button>
            ) : null}
          </EmptyState>
        }
      />
      <LibraryDialog row={editing} onClose={() => setEditing(null)} />
      <Confirm
        opened={asked !== null}
        verb={t("library.disable", { count: asked?.rows.length ?? 0 })}
        onClose={() => setAsked(null)}
        onConfirm={async () => {
          if (!asked) return;
          const answer = await disable({ ids: asked.rows.map((row) => row.id) });
          if (answer.status >= 400) toast.problem(answer.msg ?? t("form.failed"));
          else toast.done(t("library.disabled", { count: asked.rows.length }));
          asked.clear();
          await refreshList(client, "activityLibrary/list");
        }}
      >
        {t("library.disableText", { names: asked?.rows.map((row) => row.name).join(", ") ?? "" })}
      </Confirm>
    </>
  );
}
