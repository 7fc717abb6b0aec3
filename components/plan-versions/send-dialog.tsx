"use client";
import { Modal, MultiSelect, Select, TagsInput, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DayInput } from "#components/ui/day-input.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf, useList } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import { sendDistributions } from "#lib/plan-versions/distributions/actions.ts";
import { messageChars } from "#lib/plan-versions/distributions/limits.ts";
import type { Candidate, countRecipients } from "#lib/plan-versions/distributions/queries.ts";
import type { VersionRow } from "#lib/plan-versions/queries.ts";
import type { CompareChoices } from "./compare-filters.tsx";
import { versionsAddress } from "./version-list.tsx";
import classes from "./versions.module.css";

type Counted = Awaited<ReturnType<typeof countRecipients>>[number];
const published = [{ field: "kind", type: "eq" as const, values: ["published"] }];

/** Sends a published version: to whom, until when they answer, and how much each of them will see. */
export function SendDialog({ regions, onClose, onSent }: { regions: CompareChoices["regions"]; onClose: () => void; onSent: () => void }) {
  const t = useTranslations("plan-versions.distributions");
  const common = useTranslations("common");
  const id = useId();
  const project = useProjectNumber();
  const versions = useList<VersionRow>({ address: versionsAddress, page: 1, size: 50, filters: published, meta: lookup });
  const [chosen, setChosen] = useState<string | null>(null);
  const versionId = Number(chosen ?? versions.data?.records[0]?.id ?? 0);
  const [known, setKnown] = useState<ReadonlyMap<string, string>>(new Map());
  const [people, setPeople] = useState<string[]>([]);
  const [emails, setEmails] = useState<string[]>([]);
  const [within, setWithin] = useState<string[]>([]);
  const [dueDate, setDueDate] = useState("");
  const [message, setMessage] = useState("");
  const [problem, setProblem] = useState<string>();
  const [search, setSearch] = useState("");
  const [q] = useDebouncedValue(search.trim(), 250);
  const [send, busy] = useAction(sendDistributions);
  const { close, question } = useCloseGuard(useEdited([chosen, people, emails, within, dueDate, message]), onClose);
  const candidates = useQuery({
    queryKey: ["distribution-recipients", project, q],
    queryFn: async ({ signal }) => dataOf(await callDoor<Candidate[]>("planDistribution/recipients", { q }, { signal })),
    placeholderData: (before) => before,
    retry: false,
    meta: lookup,
  });
  const recipients = [
    ...people.map((value) => {
      const [kind, number] = value.split(" ");
      return kind === "company" ? { subcontractorId: Number(number) } : { userId: Number(number) };
    }),
    ...emails.map((email) => ({ email })),
  ];
  const filters = within.length > 0 ? [{ field: "regionId" as const, type: "in" as const, values: within.map(Number) }] : [];
  const counts = useQuery({
    queryKey: ["distribution-counts", project, versionId, people, emails, within],
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<Counted[]>("planDistribution/count", { versionId, recipients, filters }, { signal })),
    enabled: versionId > 0 && recipients.length > 0,
    placeholderData: (before) => before,
    retry: false,
    gcTime: 0,
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await send({ versionId, recipients, filters, ...(dueDate && { dueDate }), message });
    if (!answer.data) return setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code);
    toast.done(t("sent", { count: answer.data.ids.length }));
    onSent();
    onClose();
  };
  const labelOf = (one: Candidate) => `${one.name} (${one.kind === "company" ? t("kind.company") : one.account})`;
  const options = new Map(known);
  for (const one of candidates.data ?? []) options.set(`${one.kind} ${one.id}`, labelOf(one));
  return (
    <Modal opened onClose={close} title={t("sendTitle")} size={640} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <Field id={`${id}-version`} label={t("column.version")} required>
          <Select
            id={`${id}-version`}
            data={(versions.data?.records ?? []).map((row) => ({ value: String(row.id), label: `${row.code} ${row.name}` }))}
            value={versionId > 0 ? String(versionId) : null}
            nothingFoundMessage={versions.isPending ? common("loading") : t("noVersion")}
            aria-describedby={fieldNoteId(`${id}-version`)}
            onChange={setChosen}
          />
        </Field>
        {regions.length > 0 ? (
          <Field id={`${id}-regions`} label={t("regions")} help={t("regionsHelp")}>
            <MultiSelect
              id={`${id}-regions`}
              searchable
              data={regions.map((region) => ({ value: String(region.id), label: region.name }))}
              value={within}
              aria-describedby={fieldNoteId(`${id}-regions`)}
              onChange={setWithin}
            />
          </Field>
        ) : null}
        <Field id={`${id}-people`} label={t("people")} help={t("peopleHelp")}>
          <MultiSelect
            id={`${id}-people`}
            data-autofocus
            searchable
            hidePickedOptions
            data={[...options].map(([value, label]) => ({ value, label }))}
            value={people}
            nothingFoundMessage={candidates.isFetching ? common("loading") : t("nobody")}
            aria-describedby={fieldNoteId(`${id}-people`)}
            onSearchChange={(word) => setSearch(word.slice(0, 100))}
            onChange={(values) => {
              setPeople(values);
              setKnown(new Map([...options].filter(([value]) => values.includes(value))));
              setProblem(undefined);
            }}
          />
        </Field>
        <Field id={`${id}-emails`} label={t("emails")} help={t("emailsHelp")}>
          <TagsInput
            id={`${id}-emails`}
            value={emails}
            aria-describedby={fieldNoteId(`${id}-emails`)}
            onChange={(values) => {
              setEmails(values);
              setProblem(undefined);
            }}
          />
        </Field>
        {recipients.length > 0 && counts.isError && !counts.data ? (
          <ErrorPanel title={t("partsFailed")} failed={counts.error} onRetry={() => counts.refetch()} />
        ) : null}
        {recipients.length > 0 && counts.data ? (
          <ScrollRegion className={classes.kept} label={t("parts")}>
            <table className={classes.table} aria-label={t("parts")}>
              <thead>
                <tr>
                  <th scope="col">{t("column.recipient")}</th>
                  <th scope="col" data-align="right">
                    {t("column.dus")}
                  </th>
                  <th scope="col" data-align="right">
                    {common("activities")}
                  </th>
                </tr>
              </thead>
              <tbody>
                {counts.data.map((row) => (
                  <tr key={`${row.kind} ${row.userId ?? row.subcontractorId ?? row.email}`}>
                    <td>{row.name}</td>
                    <td data-align="right">
                      {row.code ? <span className={classes.problem}>{t("seesNothing")}</span> : formatNumber(row.dus)}
                    </td>
                    <td data-align="right">{formatNumber(row.activities)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
        ) : null}
        <Field id={`${id}-due`} label={t("column.dueDate")} help={t("dueHelp")}>
          <DayInput id={`${id}-due`} value={dueDate} clearable aria-describedby={fieldNoteId(`${id}-due`)} onChange={setDueDate} />
        </Field>
        <Field id={`${id}-message`} label={t("message")} count={{ used: message.length, max: messageChars }}>
          <Textarea
            id={`${id}-message`}
            autosize
            minRows={2}
            maxRows={6}
            maxLength={messageChars}
            value={message}
            onChange={(event) => setMessage(event.currentTarget.value)}
          />
        </Field>
        <DialogFoot
          problem={problem}
          verb={t("sendTo", { count: recipients.length })}
          busy={busy}
          disabled={recipients.length === 0 || versionId === 0}
          onClose={close}
        />
      </form>
      {question}
    </Modal>
  );
}
