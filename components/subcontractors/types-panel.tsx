"use client";
import { Button, Modal, MultiSelect, TextInput } from "@mantine/core";
import { IconPlus, IconTags } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { Confirm } from "#components/ui/confirm.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import plain from "#components/ui/plain-table.module.css";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { toast } from "#components/ui/toast.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { emptyText, formatNumber } from "#lib/core/format.ts";
import { typeActivitiesMax, typeNameChars } from "#lib/resources/subcontractors/limits.ts";
import type { CompanyType } from "#lib/resources/subcontractors/queries.ts";
import classes from "./subcontractors.module.css";
import { refreshFound, useFound } from "./use-found.ts";
import { useSave } from "./use-save.ts";

const address = "subconType/find";
type Activities = readonly { id: number; name: string }[];

/** The kinds of companies with the activities they cover. [RES-13] */
export function TypesPanel({ activities, bar }: { activities: Activities; bar: (actions?: ReactNode) => ReactNode }) {
  const t = useTranslations("subcontractors");
  const common = useTranslations("common");
  const { can } = useSession();
  const client = useQueryClient();
  const types = useFound<CompanyType[]>(address);
  const [open, setOpen] = useState<CompanyType | "new" | null>(null);
  const [asked, setAsked] = useState<CompanyType | null>(null);
  const mayEdit = can("resource.edit");
  const remove = async ({ id }: CompanyType) => {
    const answer = await callDoor("subconType/delete", { ids: [id] });
    if (answer.status >= 400) toast.problem(answer.msg ?? common("failed"));
    await refreshFound(client, address);
  };
  return (
    <>
      {bar(
        mayEdit ? (
          <Button variant="filled" leftSection={<IconPlus size={14} stroke={1.7} />} onClick={() => setOpen("new")}>
            {t("type.new")}
          </Button>
        ) : null,
      )}
      {types.isError ? (
        <ErrorPanel title={t("failed")} failed={types.error} onRetry={() => types.refetch()} />
      ) : types.data?.length === 0 ? (
        <EmptyState icon={<IconTags size={28} stroke={1} aria-hidden="true" />} title={t("type.empty")}>
          {mayEdit ? <Button onClick={() => setOpen("new")}>{t("type.new")}</Button> : null}
        </EmptyState>
      ) : (
        <ScrollRegion label={t("type.label")} className={plain.scroll} busy={types.isFetching}>
          <table className={`${plain.table} ${classes.table}`}>
            <thead>
              <tr>
                <th scope="col">{common("name")}</th>
                <th scope="col">{common("activities")}</th>
                <th scope="col" data-align="right">
                  {t("type.companies")}
                </th>
                <th scope="col">
                  <span className="visually-hidden">{t("verbs")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {(types.data ?? []).map((type) => (
                <tr key={type.id}>
                  <th scope="row">{type.name}</th>
                  <td title={type.activities.join(", ")}>{type.activities.join(", ") || emptyText}</td>
                  <td data-align="right">{formatNumber(type.companies)}</td>
                  <td>
                    {mayEdit ? (
                      <div className={classes.verbs}>
                        <Button size="xs" aria-label={t("editOf", { name: type.name })} onClick={() => setOpen(type)}>
                          {common("edit")}
                        </Button>
                        <Button
                          size="xs"
                          variant="subtle"
                          color="gray"
                          aria-label={t("deleteOf", { name: type.name })}
                          onClick={() => setAsked(type)}
                        >
                          {common("delete")}
                        </Button>
                      </div>
                    ) : null}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {open ? (
        <TypeDialog
          type={open === "new" ? null : open}
          activities={activities}
          onSaved={() => {
            setOpen(null);
            void refreshFound(client, address);
          }}
          onClose={() => setOpen(null)}
        />
      ) : null}
      {asked ? (
        <Confirm opened danger verb={common("delete")} onConfirm={() => remove(asked)} onClose={() => setAsked(null)}>
          {asked.name}
        </Confirm>
      ) : null}
    </>
  );
}

type DialogProps = { type: CompanyType | null; activities: Activities; onSaved: () => void; onClose: () => void };

function TypeDialog({ type, activities, onSaved, onClose }: DialogProps) {
  const t = useTranslations("subcontractors");
  const common = useTranslations("common");
  const id = useId();
  const [name, setName] = useState(type?.name ?? "");
  const [ids, setIds] = useState((type?.activityIds ?? []).map(String));
  const { busy, faults, problem, save } = useSave("subconType/save", (path) => path === "name" || path === "activityIds");
  const { close, question } = useCloseGuard(useEdited([name, ids]), onClose);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await save({ name, activityIds: ids.map(Number), ...(type && { id: type.id, rowVersion: type.rowVersion }) })) onSaved();
  };
  return (
    <Modal opened onClose={close} title={type ? type.name : t("type.new")} size={520} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <Field
          id={`${id}-name`}
          label={common("name")}
          required
          count={{ used: [...name.trim()].length, max: typeNameChars }}
          error={faults.name}
        >
          <TextInput
            id={`${id}-name`}
            required
            data-autofocus
            value={name}
            error={Boolean(faults.name)}
            aria-describedby={fieldNoteId(`${id}-name`)}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        <Field id={`${id}-activities`} label={common("activities")} error={faults.activityIds}>
          <MultiSelect
            id={`${id}-activities`}
            searchable
            maxValues={typeActivitiesMax}
            data={activities.map((activity) => ({ value: String(activity.id), label: activity.name }))}
            value={ids}
            error={Boolean(faults.activityIds)}
            aria-describedby={fieldNoteId(`${id}-activities`)}
            onChange={setIds}
          />
        </Field>
        <DialogFoot problem={problem} verb={common("save")} busy={busy} onClose={close} />
      </form>
      {question}
    </Modal>
  );
}
