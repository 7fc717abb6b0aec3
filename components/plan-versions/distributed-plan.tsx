"use client";
import { Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useEffectEvent, useState } from "react";
import { useCloseGuard } from "#components/ui/close-guard.tsx";
import { DayText } from "#components/ui/day-text.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { TableFoot } from "#components/ui/table-foot.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { emptyText } from "#lib/core/format.ts";
import type { Page } from "#lib/core/paging.ts";
import { openDistribution } from "#lib/plan-versions/distributions/actions.ts";
import { shownDusMax } from "#lib/plan-versions/distributions/limits.ts";
import type { DistributionRow, ToldDu } from "#lib/plan-versions/distributions/queries.ts";
import { submitFeedback } from "#lib/plan-versions/feedback/actions.ts";
import { remarkChars } from "#lib/plan-versions/feedback/limits.ts";
import classes from "./versions.module.css";

type Props = { distribution: DistributionRow; onClose: () => void; onAnswered: () => void };
type Draft = { proposedStart: string; proposedEnd: string; remark: string };
const noDraft: Draft = { proposedStart: "", proposedEnd: "", remark: "" };

/** A distributed plan DU by DU; its recipient proposes other dates and remarks, and sends all of them at once. */
export function DistributedPlan({ distribution, onClose, onAnswered }: Props) {
  const t = useTranslations("plan-versions.distributions");
  const columns = useTranslations("plan-versions.feedback.columns");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const { id, mine, status } = distribution;
  const mayAnswer = mine && status !== "closed";
  const [page, setPage] = useState(1);
  const [size, setSize] = useState(20);
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  const [problem, setProblem] = useState<string>();
  const [open] = useAction(openDistribution);
  const [submit, busy] = useAction(submitFeedback);
  const told = useQuery({
    queryKey: ["distributed-plan", project, id, page, size],
    queryFn: async ({ signal }) => dataOf(await callDoor<Page<ToldDu>>("planDistribution/rows", { id, page, size }, { signal })),
    placeholderData: (before) => before,
    retry: false,
  });
  const opened = useEffectEvent(async () => {
    if (!mine || status !== "sent") return;
    await open({ id });
    onAnswered();
  });
  useEffect(() => void opened(), []);
  const key = (du: string, activity: string) => JSON.stringify([du, activity]);
  const change = (place: string, given: Partial<Draft>) => {
    setProblem(undefined);
    setDrafts((before) => new Map(before).set(place, { ...(before.get(place) ?? noDraft), ...given }));
  };
  const given = [...drafts].filter(([, draft]) => Object.values(draft).some((value) => value.trim() !== ""));
  const { close, question } = useCloseGuard(given.length > 0, onClose);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const rows = given.map(([place, draft]) => {
      const [du, activity] = JSON.parse(place) as [string, string];
      return { du, activity, proposedStart: draft.proposedStart || null, proposedEnd: draft.proposedEnd || null, remark: draft.remark };
    });
    const answer = await submit({ distributionId: id, rows });
    if (!answer.data) {
      const [first] = answer.problems ?? [];
      const row = rows[Number(/^rows\.(\d+)/.exec(first?.path ?? "")?.[1] ?? -1)];
      return setProblem([row && `${row.du} ${row.activity}`, first?.msg ?? answer.msg ?? answer.code].filter(Boolean).join(": "));
    }
    toast.done(t("answerSent", { count: answer.data.saved }));
    onAnswered();
    onClose();
  };
  const activityRows = (du: ToldDu) =>
    du.activities.map(({ activityId, name, planStart, planEnd }, at) => {
      const place = key(du.duCode, name);
      const draft = drafts.get(place) ?? noDraft;
      const where = { du: du.duCode, activity: name };
      return (
        <tr key={`${du.duId} ${activityId}`}>
          {at === 0 ? (
            <th scope="rowgroup" rowSpan={du.activities.length} className={classes.told}>
              {du.duCode}
              <small>{du.duName}</small>
            </th>
          ) : null}
          <td>{name}</td>
          <td>{planStart ?? emptyText}</td>
          <td>{planEnd ?? emptyText}</td>
          {mayAnswer ? (
            <>
              {(["proposedStart", "proposedEnd"] as const).map((field) => (
                <td key={field}>
                  <DayText
                    value={draft[field]}
                    aria-label={t("fieldOf", { field: columns(field), ...where })}
                    onChange={(day) => change(place, { [field]: day })}
                  />
                </td>
              ))}
              <td>
                <input
                  className={classes.remark}
                  value={draft.remark}
                  maxLength={remarkChars}
                  aria-label={t("fieldOf", { field: columns("remark"), ...where })}
                  onChange={(event) => change(place, { remark: event.currentTarget.value })}
                />
              </td>
            </>
          ) : null}
        </tr>
      );
    });
  const heads = ["du", "activity", "planStart", "planEnd", ...(mayAnswer ? ["proposedStart", "proposedEnd", "remark"] : [])];
  return (
    <Modal
      opened
      onClose={close}
      title={`${distribution.versionCode} ${distribution.versionName}`}
      size={mayAnswer ? 980 : 720}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <form className={classes.form} onSubmit={send} noValidate>
        <p className={classes.help}>
          {t(mayAnswer ? "answerHelp" : "showHelp")}
          {distribution.dueDate ? ` ${t("until", { day: distribution.dueDate })}` : ""}
        </p>
        {distribution.message ? <p>{distribution.message}</p> : null}
        {told.isError ? (
          <ErrorPanel title={t("toldFailed")} failed={told.error} onRetry={() => told.refetch()} />
        ) : (
          <ScrollRegion className={classes.kept} label={t("told")} busy={told.isFetching}>
            <table className={classes.table} aria-label={t("told")}>
              <thead>
                <tr>
                  {heads.map((head) => (
                    <th key={head} scope="col">
                      {columns(head)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>{(told.data?.records ?? []).flatMap(activityRows)}</tbody>
            </table>
          </ScrollRegion>
        )}
        {told.data && (told.data.total > size || page > 1) ? (
          <TableFoot
            page={page}
            size={size}
            total={told.data.total}
            max={shownDusMax}
            onPage={setPage}
            onSize={(next) => {
              setSize(next);
              setPage(1);
            }}
          />
        ) : null}
        {mayAnswer ? (
          <DialogFoot
            problem={problem}
            verb={t("sendAnswer", { count: given.length })}
            busy={busy}
            disabled={given.length === 0}
            onClose={close}
          />
        ) : null}
      </form>
      {question}
    </Modal>
  );
}
