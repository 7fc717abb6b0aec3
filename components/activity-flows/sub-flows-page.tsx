"use client";
import { Button, Checkbox } from "@mantine/core";
import { IconListCheck, IconPlus, IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { useCommands } from "#components/ui/commands.ts";
import { Confirm } from "#components/ui/confirm.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { PagedRows } from "#components/ui/paged-rows.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { deleteSubFlows } from "#lib/activity-flows/sub-flows/actions.ts";
import type { SubFlowRow } from "#lib/activity-flows/sub-flows/queries.ts";
import { formatNumber } from "#lib/core/format.ts";
import { SearchField } from "./search-field.tsx";
import { SubFlowDialog } from "./sub-flow-dialog.tsx";
import classes from "./sub-flows.module.css";
import { subFlowsKey, useSubFlows } from "./use-sub-flows.ts";

const startRows = 50;

/** Sub-flows of the project: their steps, and the flows they are used in. [FLW-02] */
export function SubFlowsPage() {
  const t = useTranslations("sub-flows");
  const { can } = useSession();
  const client = useQueryClient();
  const found = useSubFlows();
  const [text, setText] = useState("");
  const [open, setOpen] = useState<SubFlowRow | "new" | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [asked, setAsked] = useState(false);
  const [runDelete] = useAction(deleteSubFlows);
  const mayEdit = can("flow.edit");
  const commands = useMemo(() => (mayEdit ? [{ key: "new", label: t("new"), run: () => setOpen("new") }] : []), [mayEdit, t]);
  useCommands(commands);
  const all = found.data ?? [];
  const shown = all.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
  const rows = all.filter(({ id }) => chosen.has(id));
  const refresh = () => client.invalidateQueries({ queryKey: [subFlowsKey] });
  const remove = async () => {
    const answer = await runDelete({ ids: rows.map(({ id }) => id) });
    if (answer.status >= 400) toast.problem(answer.msg ?? t("failed"));
    else {
      toast.done(t("deleted", { count: rows.length }));
      setChosen(new Set());
    }
    await refresh();
  };
  const toggle = (id: number) =>
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  const newButton = (
    <Button variant="filled" leftSection={<IconPlus size={16} stroke={1.4} />} onClick={() => setOpen("new")}>
      {t("new")}
    </Button>
  );
  return (
    <>
      <PageBar>{mayEdit ? newButton : null}</PageBar>
      {found.isError ? <ErrorPanel title={t("listFailed")} failed={found.error} onRetry={() => found.refetch()} /> : null}
      {found.data && all.length === 0 ? (
        <EmptyState icon={<IconListCheck size={28} stroke={1} aria-hidden="true" />} title={t("empty")} text={t("emptyText")}>
          {mayEdit ? newButton : null}
        </EmptyState>
      ) : null}
      {all.length > 0 ? (
        <>
          <div className={classes.bar}>
            {rows.length > 0 ? (
              <Button leftSection={<IconTrash size={16} stroke={1.4} />} onClick={() => setAsked(true)}>
                {t("delete", { count: rows.length })}
              </Button>
            ) : (
              <SearchField label={t("search")} value={text} onChange={setText} />
            )}
            <span className={classes.count}>{t("count", { count: shown.length })}</span>
          </div>
          <PagedRows rows={shown} startSize={startRows} label={t("title")} className={classes.scroll}>
            {(page) => (
              <table className={classes.table}>
                <thead>
                  <tr>
                    {mayEdit ? <th aria-label={t("choose")} style={{ width: 36 }} /> : null}
                    <th scope="col">{t("column.name")}</th>
                    <th scope="col">{t("column.steps")}</th>
                    <th scope="col" data-align="right">
                      {t("column.weight")}
                    </th>
                    <th scope="col">{t("column.usedBy")}</th>
                    <th scope="col">{t("column.status")}</th>
                  </tr>
                </thead>
                <tbody>
                  {page.map((row) => (
                    <tr key={row.id}>
                      {mayEdit ? (
                        <td>
                          <Checkbox
                            size="xs"
                            aria-label={t("chooseOne", { name: row.name })}
                            checked={chosen.has(row.id)}
                            onChange={() => toggle(row.id)}
                          />
                        </td>
                      ) : null}
                      <td>
                        <button type="button" className={classes.name} onClick={() => setOpen(row)}>
                          {row.name}
                        </button>
                      </td>
                      <td>{row.steps.map(({ name }) => name).join(" · ")}</td>
                      <td data-align="right">
                        {formatNumber(row.steps.reduce((sum, { weight }) => sum + Math.round(weight * 100), 0) / 100)}
                      </td>
                      <td>
                        {row.usedBy.length === 0
                          ? "-"
                          : row.usedBy.map(({ flowName, activities }) => `${flowName}: ${activities.join(", ")}`).join("; ")}
                      </td>
                      <td>
                        <Tag tone={row.status === "active" ? "ok" : "neutral"}>{t(`status.${row.status}`)}</Tag>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </PagedRows>
        </>
      ) : null}
      <SubFlowDialog row={open} readOnly={!mayEdit} onClose={() => setOpen(null)} onSaved={refresh} />
      <Confirm opened={asked} danger verb={t("delete", { count: rows.length })} onClose={() => setAsked(false)} onConfirm={remove}>
        {rows.map(({ name }) => name).join(", ")}
      </Confirm>
    </>
  );
}
