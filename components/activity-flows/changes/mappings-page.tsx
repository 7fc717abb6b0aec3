"use client";
import { ActionIcon, Button } from "@mantine/core";
import { IconPencil, IconPlus, IconTableOptions, IconTrash } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { FormModal } from "#components/ui/form-modal.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { deleteRetentionMappings } from "#lib/activity-flows/retention-mappings/actions.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { formatMinute } from "#lib/core/format.ts";
import type { ChangeFlow, MappingRow } from "./change-data.ts";
import classes from "./changes.module.css";
import { MappingForm } from "./mapping-form.tsx";

/** Retention mappings of the project: which data survives which change of flow. */
export function MappingsPage({ flows }: { flows: readonly ChangeFlow[] }) {
  const t = useTranslations("flow-changes");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const client = useQueryClient();
  const { can, offset } = useSession();
  const [open, setOpen] = useState<MappingRow | "new" | null>(null);
  const [asked, setAsked] = useState<MappingRow | null>(null);
  const [remove] = useAction(deleteRetentionMappings);
  const mayEdit = can("retentionMapping.edit");
  const list = useQuery({
    queryKey: ["retention-mappings", project, "all"],
    queryFn: async ({ signal }) => dataOf(await callDoor<{ records: MappingRow[] }>("retentionMapping/list", {}, { signal })).records,
  });
  const refresh = () => client.invalidateQueries({ queryKey: ["retention-mappings"] });
  const add = (
    <Button variant="filled" leftSection={<IconPlus size={16} stroke={1.4} />} disabled={flows.length < 2} onClick={() => setOpen("new")}>
      {t("mappings.new")}
    </Button>
  );
  return (
    <>
      <PageBar>{mayEdit && (list.data?.length ?? 0) > 0 ? add : null}</PageBar>
      {list.isError ? (
        <ErrorPanel title={t("mappings.failed")} failed={list.error} onRetry={() => list.refetch()} />
      ) : list.isSuccess && list.data.length === 0 ? (
        <EmptyState
          icon={<IconTableOptions size={28} stroke={1} aria-hidden="true" />}
          title={t("mappings.empty")}
          text={t(flows.length < 2 ? "mappings.fewFlows" : "mappings.emptyText")}
        >
          {mayEdit ? add : null}
        </EmptyState>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached with the keyboard
        <section className={classes.scroll} aria-label={t("mappings.label")} aria-busy={list.isFetching} tabIndex={0}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{common("name")}</th>
                <th scope="col">{t("mappings.from")}</th>
                <th scope="col">{t("mappings.to")}</th>
                <th scope="col">{t("mappings.pairs")}</th>
                <th scope="col">{common("updatedBy")}</th>
                {mayEdit ? <th scope="col">{t("mappings.actions")}</th> : null}
              </tr>
            </thead>
            <tbody>
              {(list.data ?? []).map((row) => (
                <tr key={row.id}>
                  <td>
                    <button type="button" className={classes.link} onClick={() => setOpen(row)}>
                      {row.name}
                    </button>{" "}
                    {row.isDefault ? <Tag tone="info">{t("mappings.isDefault")}</Tag> : null}
                  </td>
                  <td>{row.fromFlowName}</td>
                  <td>{row.toFlowName}</td>
                  <td>{row.rows.length}</td>
                  <td>
                    {row.updatedByName} · {formatMinute(row.updatedAt, offset)}
                  </td>
                  {mayEdit ? (
                    <td>
                      <ActionIcon size={24} aria-label={t("mappings.edit", { name: row.name })} onClick={() => setOpen(row)}>
                        <IconPencil size={16} stroke={1.4} />
                      </ActionIcon>
                      <ActionIcon size={24} aria-label={t("mappings.delete", { name: row.name })} onClick={() => setAsked(row)}>
                        <IconTrash size={16} stroke={1.4} />
                      </ActionIcon>
                    </td>
                  ) : null}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <FormModal
        opened={open !== null}
        size={860}
        title={open === "new" || open === null ? t("mappings.new") : open.name}
        onClose={() => setOpen(null)}
      >
        {(guarded) =>
          open === null ? null : (
            <MappingForm
              row={open === "new" ? null : open}
              flows={flows}
              mayEdit={mayEdit}
              onSaved={() => {
                setOpen(null);
                void refresh();
              }}
              {...guarded}
            />
          )
        }
      </FormModal>
      <Confirm
        opened={asked !== null}
        danger
        verb={t("mappings.delete", { name: asked?.name ?? "" })}
        onClose={() => setAsked(null)}
        onConfirm={async () => {
          const answer = await remove({ ids: [asked!.id] });
          if (answer.status >= 400) toast.problem(answer.msg ?? t("failed"));
          else toast.done(common("deleted"));
          await refresh();
        }}
      >
        {t("mappings.deleteText")}
      </Confirm>
    </>
  );
}
