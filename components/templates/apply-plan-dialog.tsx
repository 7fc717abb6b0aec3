"use client";
import { Button, Modal, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { applyPlan } from "#lib/templates/applications/actions.ts";
import type { AppliedPlan } from "#lib/templates/applications/commands.ts";
import type { TemplateNames } from "./template-data.ts";
import classes from "./template-dialog.module.css";

type Props = {
  opened: boolean;
  duIds: number[];
  duCode: (duId: number) => string;
  onApplied: (result: { batchId: number | null; cells: number }) => void;
  onSelect: (duIds: readonly number[]) => void;
  onClose: () => void;
};

/** Binds the chosen DUs by a plan template and fills their empty owners: what would happen first, then what was left and why. */
export function ApplyPlanDialog(props: Props) {
  const t = useTranslations("templates");
  const common = useTranslations("common");
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={t("apply.title")}
      size={560}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      {props.opened ? <ApplyForm {...props} /> : null}
    </Modal>
  );
}

function ApplyForm({ duIds, duCode, onApplied, onSelect, onClose }: Props) {
  const t = useTranslations("templates");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const id = useId();
  const [templateId, setTemplateId] = useState<string | null>(null);
  const [result, setResult] = useState<AppliedPlan | null>(null);
  const [problem, setProblem] = useState<string>();
  const [apply, busy] = useAction(applyPlan);
  const names = useQuery({
    queryKey: ["plan templates", project],
    queryFn: async ({ signal }) => dataOf(await callDoor<TemplateNames>("template/basic/getTemplateNames", { kind: "plan" }, { signal })),
    retry: false,
    meta: lookup,
  });
  const preview = useQuery({
    queryKey: ["plan template preview", project, templateId, duIds],
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<AppliedPlan>("template/plan/apply", { templateId: Number(templateId), duIds, preview: true }, { signal })),
    enabled: templateId !== null,
    retry: false,
    gcTime: 0,
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await apply({ templateId: Number(templateId), duIds });
    if (!answer.data) return setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code);
    onApplied({ batchId: null, cells: answer.data.filled });
    if (answer.data.rejected.length === 0) return onClose();
    setResult(answer.data);
  };
  const left = (given: AppliedPlan) =>
    given.rejected.length > 0 ? (
      <ScrollRegion className={classes.lists} label={t("apply.left")}>
        <table className={classes.table} aria-label={t("apply.left")}>
          <tbody>
            {given.rejected.map(({ duId, msg }) => (
              <tr key={duId}>
                <th scope="row">{duCode(duId)}</th>
                <td>{msg}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    ) : null;
  if (result)
    return (
      <div className={classes.dialog}>
        <p role="status">{t("apply.done", { bound: result.bound, filled: result.filled, left: result.rejected.length })}</p>
        {left(result)}
        <div className={classes.foot}>
          <Button onClick={() => onSelect(result.rejected.map(({ duId }) => duId))}>{t("apply.select")}</Button>
          <Button data-autofocus variant="filled" onClick={onClose}>
            {common("close")}
          </Button>
        </div>
      </div>
    );
  return (
    <form className={classes.dialog} onSubmit={submit} noValidate>
      <Field id={`${id}-template`} label={t("apply.template")} required help={t("apply.help", { count: duIds.length })}>
        <Select
          id={`${id}-template`}
          data-autofocus
          data={(names.data?.public ?? []).map((one) => ({ value: String(one.id), label: one.name }))}
          nothingFoundMessage={names.isPending ? t("loading") : t("dialog.none")}
          value={templateId}
          aria-describedby={fieldNoteId(`${id}-template`)}
          onChange={(value) => {
            setTemplateId(value);
            setProblem(undefined);
          }}
        />
      </Field>
      {preview.isLoading ? <p role="status">{t("loading")}</p> : null}
      {preview.isError && !preview.data ? (
        <ErrorPanel title={t("apply.failed")} failed={preview.error} onRetry={() => preview.refetch()} />
      ) : null}
      {preview.data ? (
        <>
          <p role="status">
            {t("apply.preview", { bound: preview.data.bound, filled: preview.data.filled, left: preview.data.rejected.length })}
          </p>
          {left(preview.data)}
        </>
      ) : null}
      <DialogFoot
        problem={problem}
        verb={t("apply.verb")}
        busy={busy}
        disabled={!preview.data || preview.data.bound + preview.data.filled === 0}
        onClose={onClose}
      />
    </form>
  );
}
