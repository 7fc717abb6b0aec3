"use client";
import { Checkbox, Radio, Textarea } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { ProgressBar } from "#components/ui/progress-bar.tsx";
import { taskFile } from "#components/ui/task-file.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { formatNumber } from "#lib/core/format.ts";
import type { Side } from "#lib/imports/kind/logic.ts";
import { reasonChars } from "#lib/imports/limits.ts";
import type { PreviewResult } from "#lib/imports/logic.ts";
import classes from "./import-wizard.module.css";
import type { Settling } from "./use-settlement.ts";

type Props = {
  taskId: string;
  result: PreviewResult;
  /** Code of the reason the rows are narrowed to. */
  code: string | null;
  onCode: (code: string | null) => void;
  whole: boolean;
  onWhole: (whole: boolean) => void;
  reason: string;
  onReason: (reason: string) => void;
  /** The reason was asked for and is missing. */
  reasonMissing: boolean;
  settling: Settling;
  /** Shows the rows in conflict. */
  onConflicts: () => void;
};

const busiest = 6;

/** Why rows were refused, what applying does besides, and where most changes are. */
export function PreviewPanel(props: Props) {
  const { taskId, result, code, onCode } = props;
  const t = useTranslations("imports");
  const reasons = useTranslations("imports.reasons");
  const project = useProjectNumber();
  const id = useId();
  const titles = new Map(result.columns.map((column) => [column.key, column.title]));
  const most = result.changed[0]?.count ?? 0;
  return (
    <aside className={classes.right} aria-label={t("panel.summary")}>
      {result.reasons.length > 0 ? (
        <section className={classes.block}>
          <h2>{t("panel.reasons")}</h2>
          <ul>
            {result.reasons.map((reason) => (
              <li key={reason.code} className={classes.reasonLine}>
                <span>{reasons.has(reason.code as never) ? reasons(reason.code as never) : reason.code}</span>
                <b>{formatNumber(reason.count)}</b>
                <code>{reason.code}</code>
                <button
                  type="button"
                  className={classes.link}
                  aria-pressed={code === reason.code}
                  onClick={() => onCode(code === reason.code ? null : reason.code)}
                >
                  {t(code === reason.code ? "panel.showAll" : "panel.show")}
                </button>
              </li>
            ))}
          </ul>
          <a className={classes.button} href={taskFile(taskId, "error", project)} download>
            <IconDownload size={16} stroke={1.4} aria-hidden="true" />
            {t("panel.download")}
          </a>
        </section>
      ) : null}
      {result.conflictCells > 0 ? <Conflicts {...props} /> : null}
      <section className={classes.block}>
        <h2>{t("panel.after")}</h2>
        {result.reopens > 0 ? <p>{t("panel.reopens", { count: result.reopens })}</p> : null}
        {result.counts.rejected > 0 ? (
          <Checkbox
            size="xs"
            className={classes.control}
            label={t("panel.whole")}
            checked={props.whole}
            onChange={(event) => props.onWhole(event.currentTarget.checked)}
          />
        ) : (
          <p>{t("panel.wholeDus", { kind: result.kind })}</p>
        )}
        {result.needsReason ? (
          <Field
            id={`${id}-reason`}
            label={t("panel.reason")}
            required
            help={t("panel.reasonHelp")}
            count={{ used: props.reason.length, max: reasonChars }}
            error={props.reasonMissing ? t("panel.reasonMissing") : undefined}
          >
            <Textarea
              id={`${id}-reason`}
              aria-describedby={fieldNoteId(`${id}-reason`)}
              error={props.reasonMissing}
              maxLength={reasonChars}
              autosize
              minRows={2}
              maxRows={6}
              value={props.reason}
              onChange={(event) => props.onReason(event.currentTarget.value)}
            />
          </Field>
        ) : null}
      </section>
      {most > 0 ? (
        <section className={classes.block}>
          <h2>{t("panel.busiest")}</h2>
          {result.changed.slice(0, busiest).map(({ key, count }) => (
            <div key={key} className={classes.busy}>
              <span>{titles.get(key) ?? key}</span>
              <span>{formatNumber(count)}</span>
              <ProgressBar done={count} total={most} label={titles.get(key) ?? key} />
            </div>
          ))}
        </section>
      ) : null}
    </aside>
  );
}

/** Cells changed on both sides: which value stands, for all of them. */
function Conflicts({ result, settling, onConflicts }: Props) {
  const t = useTranslations("imports");
  return (
    <section className={classes.block}>
      <h2>{t("conflict.head")}</h2>
      <p>{t("conflict.text", { count: result.conflictCells })}</p>
      <Radio.Group
        aria-label={t("conflict.head")}
        description={t("conflict.help")}
        value={settling.settlement.side}
        onChange={(side) => settling.decideAll(side as Side)}
      >
        <div className={classes.choices}>
          <Radio size="xs" className={classes.control} value="theirs" label={t("conflict.keep")} />
          <Radio size="xs" className={classes.control} value="mine" label={t("conflict.take")} />
        </div>
      </Radio.Group>
      <button type="button" className={classes.link} onClick={onConflicts}>
        {t("conflict.show")}
      </button>
    </section>
  );
}
