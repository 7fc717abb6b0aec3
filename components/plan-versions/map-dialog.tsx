"use client";
import { Button, Checkbox, Modal, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { mapFeedback } from "#lib/plan-versions/feedback/actions.ts";
import type { FeedbackRow, Suggestions } from "#lib/plan-versions/feedback/queries.ts";
import type { CompareChoices } from "./compare-filters.tsx";
import classes from "./versions.module.css";

type Props = { rows: FeedbackRow[]; activities: CompareChoices["activities"]; onClose: () => void; onMapped: () => unknown };
type FoundDu = { id: number; code: string; name: string };

/** Says which DU and activity answers speak of: what comes near their words first, or any other; the words can be remembered. */
export function MapDialog({ rows, activities, onClose, onMapped }: Props) {
  const t = useTranslations("plan-versions.feedback");
  const common = useTranslations("common");
  const id = useId();
  const project = useProjectNumber();
  const [first] = rows;
  const [du, setDu] = useState<FoundDu | null>(null);
  const [activity, setActivity] = useState<number | null>(null);
  const [remember, setRemember] = useState(true);
  const [problem, setProblem] = useState<string>();
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed.trim(), 250);
  const [map, busy] = useAction(mapFeedback);
  const { close, question } = useCloseGuard(useEdited([du?.id, activity, remember]), onClose);
  const near = useQuery({
    queryKey: ["feedback-suggestions", project, first?.id],
    queryFn: async ({ signal }) => dataOf(await callDoor<Suggestions>("planFeedback/suggest", { id: first?.id }, { signal })),
    retry: false,
    meta: lookup,
  });
  const found = useQuery({
    queryKey: ["feedback-dus", project, q],
    queryFn: async ({ signal }) => dataOf(await callDoor<FoundDu[]>("rolloutPlan/quickFind", { q }, { signal })),
    enabled: q !== "",
    placeholderData: (before) => before,
    retry: false,
    meta: lookup,
  });
  const dus = new Map([...(near.data?.dus ?? []), ...(found.data ?? []), ...(du ? [du] : [])].map((one) => [one.id, one]));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await map({
      ids: rows.map((row) => row.id),
      ...(du && { duId: du.id }),
      ...(activity !== null && { activityId: activity }),
      remember,
    });
    if (!answer.data) return setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code);
    const [refused] = answer.data.rejected;
    if (answer.data.changed === 0 && refused) return setProblem(refused.msg);
    toast.done(t("mappedDone", { mapped: answer.data.mapped, rejected: answer.data.rejected.length }));
    await onMapped();
    onClose();
  };
  const words = (pick: (row: FeedbackRow) => string) => [...new Set(rows.map(pick))].join(", ");
  return (
    <Modal
      opened
      onClose={close}
      title={t("mapTitle", { count: rows.length })}
      size={560}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <Field id={`${id}-du`} label={common("du")} help={words((row) => row.rawDu)}>
          <Select
            id={`${id}-du`}
            data-autofocus
            searchable
            clearable
            clearButtonProps={{ "aria-label": common("clear") }}
            data={[...dus.values()].map((one) => ({ value: String(one.id), label: `${one.code} ${one.name}` }))}
            value={du ? String(du.id) : null}
            filter={({ options }) => options}
            nothingFoundMessage={near.isFetching || found.isFetching ? common("loading") : t("noDu")}
            aria-describedby={fieldNoteId(`${id}-du`)}
            onSearchChange={(word) => setTyped(word.split(" ")[0] ?? "")}
            onChange={(value) => setDu(value === null ? null : (dus.get(Number(value)) ?? null))}
          />
        </Field>
        <Suggested label={t("suggested")} rows={near.data?.dus.map((one) => ({ ...one, label: one.code })) ?? []} onPick={setDu} />
        <Field id={`${id}-activity`} label={common("activity")} help={words((row) => row.rawActivity)}>
          <Select
            id={`${id}-activity`}
            searchable
            clearable
            clearButtonProps={{ "aria-label": common("clear") }}
            data={activities.map((one) => ({ value: String(one.id), label: one.name }))}
            value={activity === null ? null : String(activity)}
            aria-describedby={fieldNoteId(`${id}-activity`)}
            onChange={(value) => setActivity(value === null ? null : Number(value))}
          />
        </Field>
        <Suggested
          label={t("suggested")}
          rows={near.data?.activities.map((one) => ({ ...one, label: one.name })) ?? []}
          onPick={(one) => setActivity(one.id)}
        />
        <Checkbox
          size="xs"
          classNames={{ label: classes.check ?? "" }}
          label={t("remember")}
          checked={remember}
          onChange={(event) => setRemember(event.currentTarget.checked)}
        />
        <DialogFoot problem={problem} verb={t("map")} busy={busy} disabled={du === null && activity === null} onClose={close} />
      </form>
      {question}
    </Modal>
  );
}

function Suggested<Row extends { id: number; label: string; fit: "exact" | "normalised" | "similar" }>({
  label,
  rows,
  onPick,
}: {
  label: string;
  rows: readonly Row[];
  onPick: (row: Row) => void;
}) {
  const t = useTranslations("plan-versions.feedback");
  if (rows.length === 0) return null;
  return (
    <div className={classes.filters}>
      <span className={classes.help}>{label}</span>
      {rows.map((row) => (
        <Button key={row.id} size="compact-xs" title={t(`fit.${row.fit}`)} onClick={() => onPick(row)}>
          {row.label}
        </Button>
      ))}
    </div>
  );
}
