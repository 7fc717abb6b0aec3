"use client";

import { Button, Textarea } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type ReactNode, useId, useState } from "react";
import { useCloseGuard } from "#components/ui/close-guard.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { withQuestions } from "#components/ui/questions.ts";
import { isSecondPress } from "#components/ui/second-press.ts";
import { MarkGlyph } from "#components/ui/status-glyph.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import type { Answer } from "#lib/core/error.ts";
import { reasonChars } from "#lib/rollout-plan/edits/limits.ts";
import styles from "./dialogs.module.css";
import type { HeadActivity } from "./plan-columns.ts";
import { PlanDialog } from "./plan-dialog.tsx";
import { countByCode, type RejectedCell } from "./plan-saving.ts";

/** What a batch did or would do. */
export type BatchAnswer = {
  changed: number;
  rejected: RejectedCell[];
  sample: { duId: number; activityId?: number; field: string; old: string | null; new: string | null }[];
  batchId: number | null;
};

/** What every batch dialog of the plan is given. */
export type BatchProps = {
  duIds: readonly number[];
  activities: readonly HeadActivity[];
  /** Activities that are ticked at first: those the person was at. */
  preset: readonly number[];
  duCode: (duId: number) => string;
  /** Chooses the rows of refused cells instead of going on. */
  onSelect: (rejected: readonly RejectedCell[]) => void;
  onApplied: (answer: BatchAnswer, note: string) => void;
  onClose: () => void;
};

/** Refused cells a preview lists one by one; the result lists all. */
const refusedShown = 20;

/**
 * Asks a batch call, first as a preview. Every change of the input drops the preview it was made from.
 * @param previews the call can say what would happen
 */
export function useBatch(address: string, previews = true) {
  const [busy, setBusy] = useState(false);
  const [preview, setPreview] = useState<BatchAnswer | null>(null);
  const [refusal, setRefusal] = useState<Answer | null>(null);
  const run = async (input: Record<string, unknown>, asPreview: boolean): Promise<BatchAnswer | null> => {
    setBusy(true);
    const answer = await withQuestions((confirmed) =>
      callDoor<BatchAnswer>(address, { ...input, ...(previews && { preview: asPreview }), ...(confirmed && { confirmed }) }),
    );
    setBusy(false);
    setRefusal(answer.data ? null : answer);
    if (answer.data && asPreview) setPreview(answer.data);
    return answer.data ?? null;
  };
  /** Wraps a setter of a field. */
  const outdated =
    <T,>(set: (value: T) => void) =>
    (next: T) => {
      setPreview(null);
      setRefusal(null);
      set(next);
    };
  return { busy, preview, refusal, run, outdated };
}

/** Check boxes of the activities of the shown flows, with one for all of them. */
export function ActivityChoices({
  activities,
  chosen,
  onChange,
}: {
  activities: readonly HeadActivity[];
  chosen: readonly number[];
  onChange: (chosen: readonly number[]) => void;
}) {
  const t = useTranslations("plan-grid");
  const all = activities.map((activity) => activity.activityId);
  const whole = chosen.length === all.length;
  return (
    <fieldset className={styles.plain}>
      <legend className={styles.legend}>
        <span>{t("batch.activities")}</span>
        {all.length > 1 && (
          <button type="button" className={styles.link} onClick={() => onChange(whole ? [] : all)}>
            {whole ? t("batch.none") : t("batch.all")}
          </button>
        )}
      </legend>
      <div className={styles.choices}>
        {activities.map((activity) => (
          <label key={activity.activityId} className={styles.check}>
            <input
              type="checkbox"
              checked={chosen.includes(activity.activityId)}
              onChange={(event) =>
                onChange(
                  event.currentTarget.checked ? [...chosen, activity.activityId] : chosen.filter((given) => given !== activity.activityId),
                )
              }
            />
            {activity.name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Reason of a batch, kept in the history of every cell it writes. */
export function BatchReason({
  value,
  help,
  required = false,
  onChange,
}: {
  value: string;
  help?: string;
  required?: boolean;
  onChange: (value: string) => void;
}) {
  const t = useTranslations("plan-grid");
  const id = useId();
  return (
    <Field id={id} label={t("batch.reason")} help={help} required={required} count={{ used: [...value].length, max: reasonChars }}>
      <Textarea
        id={id}
        autosize
        minRows={1}
        maxRows={4}
        maxLength={reasonChars}
        value={value}
        aria-required={required || undefined}
        aria-describedby={fieldNoteId(id)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  );
}

type FrameProps = Pick<BatchProps, "activities" | "duCode" | "onSelect" | "onClose"> & {
  title: string;
  batch: ReturnType<typeof useBatch>;
  /** Something else is given than when it was opened. */
  isEdited: boolean;
  /** All that is needed to ask is given. */
  complete: boolean;
  onPreview: () => void;
  onApply: () => void;
  /** Words of the button that applies without a preview. */
  verb?: string;
  children: ReactNode;
};

/** Frame of a batch dialog: fields, what would happen, what is refused and why, Preview and then Apply with its number. */
export function BatchFrame(props: FrameProps) {
  const { title, batch, activities, duCode, isEdited, complete, onPreview, onApply, onSelect, onClose, verb, children } = props;
  const t = useTranslations("plan-grid");
  const { preview, refusal, busy } = batch;
  const { close, question } = useCloseGuard(isEdited, onClose);
  const name = (activityId: number | null | undefined) => activities.find((activity) => activity.activityId === activityId)?.name ?? "";
  return (
    <PlanDialog onClose={close} title={title} size={640}>
      <div className={styles.fields}>
        {children}
        {refusal && (
          <div role="alert" className={styles.cause}>
            <MarkGlyph mark="warning" />
            {refusal.msg ?? t("save.failed")}
          </div>
        )}
        {preview && (
          <div role="status">
            <p>
              <b>{t("batch.would", { changed: preview.changed, rejected: preview.rejected.length })}</b>
            </p>
            {preview.sample.length > 0 && (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by the keyboard.
              <section className={styles.box} style={{ maxHeight: 180, marginTop: 8 }} aria-label={t("batch.changes")} tabIndex={0}>
                <table className={styles.table}>
                  <tbody>
                    {preview.sample.map((cell) => (
                      <tr key={`${cell.duId}-${cell.activityId}-${cell.field}`}>
                        <td className={styles.nowrap}>{duCode(cell.duId)}</td>
                        <td>{name(cell.activityId)}</td>
                        <td className={styles.nowrap}>
                          <s>{cell.old ?? "-"}</s> → <b>{cell.new ?? "-"}</b>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </section>
            )}
            {preview.rejected.length > 0 && (
              <>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by the keyboard. */}
                <section className={styles.box} style={{ maxHeight: 140, marginTop: 8 }} aria-label={t("batch.refused")} tabIndex={0}>
                  <table className={styles.table}>
                    <tbody>
                      {preview.rejected.slice(0, refusedShown).map((cell) => (
                        <tr key={`${cell.duId}-${cell.activityId}-${cell.field}`}>
                          <td className={styles.nowrap}>{duCode(cell.duId)}</td>
                          <td>{name(cell.activityId)}</td>
                          <td>
                            <span className={styles.cause}>
                              <MarkGlyph mark="warning" />
                              {cell.msg}
                            </span>
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </section>
                <div className={styles.counts}>
                  {countByCode(preview.rejected).map(({ code, msg, count }) => (
                    <span key={code}>
                      {msg} <b>{count}</b>
                    </span>
                  ))}
                  <button type="button" className={styles.link} onClick={() => onSelect(preview.rejected)}>
                    {t("result.select")}
                  </button>
                </div>
              </>
            )}
          </div>
        )}
      </div>
      <div className={styles.foot}>
        <span className={styles.quiet}>{preview ? t("batch.nothingYet") : ""}</span>
        <span className={styles.grow} />
        <Button onClick={close}>{t("reason.cancel")}</Button>
        {verb !== undefined ? (
          <Button variant="filled" loading={busy} disabled={!complete} onClick={onApply}>
            {verb}
          </Button>
        ) : preview && preview.changed > 0 ? (
          <Button variant="filled" loading={busy} onClick={(event) => isSecondPress(event) || onApply()}>
            {t("batch.apply", { count: preview.changed })}
          </Button>
        ) : (
          <Button variant="filled" loading={busy} disabled={!complete} onClick={onPreview}>
            {t("batch.preview")}
          </Button>
        )}
      </div>
      {question}
    </PlanDialog>
  );
}
