"use client";
import { Select, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { changeReasonMax } from "#lib/activity-flows/changes/limits.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { ChangeCheck } from "./change-data.ts";
import classes from "./changes.module.css";
import type { Draft } from "./new-change-page.tsx";

type Props = {
  draft: Draft;
  check: ChangeCheck | null;
  problems: Record<string, string>;
  onChange: (change: Partial<Draft>) => void;
};

/** Third step: why, and who approves where somebody is asked. */
export function PeopleStep({ draft, check, problems, onChange }: Props) {
  const t = useTranslations("flow-changes");
  const id = useId();
  const project = useProjectNumber();
  const asks = check?.needsApproval ?? false;
  const duIds = [...draft.chosen.keys()];
  const first = useQuery({
    queryKey: ["tl-approvers", project, duIds],
    enabled: asks,
    meta: lookup,
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<{ id: number; account: string; name: string }[]>("duChange/getTLApprover", { duIds }, { signal })),
  });
  const none = asks && check?.approvers.length === 0;
  const general = problems[""] ?? problems.items;
  return (
    <div className={classes.page}>
      <div className={classes.people}>
        <Field
          id={`${id}-reason`}
          label={t("column.reason")}
          required
          count={{ used: draft.reason.length, max: changeReasonMax }}
          error={problems.reason}
        >
          <Textarea
            id={`${id}-reason`}
            required
            autosize
            minRows={3}
            maxRows={12}
            maxLength={changeReasonMax}
            value={draft.reason}
            error={Boolean(problems.reason)}
            aria-describedby={fieldNoteId(`${id}-reason`)}
            onChange={(event) => onChange({ reason: event.currentTarget.value })}
          />
        </Field>
        {asks ? (
          <>
            <Field
              id={`${id}-approver`}
              label={t("people.approver")}
              required
              help={none ? undefined : t("people.approverHelp")}
              error={none ? t("people.noApprover") : problems.approverId}
            >
              <Select
                id={`${id}-approver`}
                searchable
                data={(check?.approvers ?? []).map(({ id: person, name, role, delegateOf }) => ({
                  value: String(person),
                  label: delegateOf ? t("person.delegate", { name, role, of: delegateOf.name }) : t("person.holder", { name, role }),
                }))}
                disabled={none}
                value={draft.approverId === null ? null : String(draft.approverId)}
                error={none || Boolean(problems.approverId)}
                aria-describedby={fieldNoteId(`${id}-approver`)}
                onChange={(value) => onChange({ approverId: value === null ? null : Number(value) })}
              />
            </Field>
            <Field id={`${id}-first`} label={t("people.first")} help={t("people.firstHelp")} error={problems.tlApproverId}>
              <Select
                id={`${id}-first`}
                searchable
                clearable
                clearButtonProps={{ "aria-label": t("people.firstClear") }}
                data={(first.data ?? []).map((person) => ({ value: String(person.id), label: person.name }))}
                value={draft.tlApproverId === null ? null : String(draft.tlApproverId)}
                error={Boolean(problems.tlApproverId)}
                aria-describedby={fieldNoteId(`${id}-first`)}
                onChange={(value) => onChange({ tlApproverId: value === null ? null : Number(value) })}
              />
            </Field>
          </>
        ) : (
          <p className={classes.help}>{t("check.now")}</p>
        )}
        {general ? (
          <p className={classes.problem} role="alert">
            {general}
          </p>
        ) : null}
      </div>
    </div>
  );
}
