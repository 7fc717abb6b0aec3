"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import { ProgressBar } from "#components/ui/progress-bar.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { Tag, type Tone } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useHref } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { emptyText, formatMinute, formatNumber, formatSpan } from "#lib/core/format.ts";
import type { CancelMode, RunState } from "#lib/planning-engine/runs/limits.ts";
import type { Incumbent, RunHead, RunProgress } from "#lib/planning-engine/runs/schema.ts";
import classes from "./home.module.css";
import { pointsOf, type RunHistory } from "./run-history.ts";
import { Sparkline } from "./sparkline.tsx";

const tones: Record<RunState, Tone> = { executing: "info", success: "ok", failed: "danger", no_feasible: "danger", terminated: "neutral" };
const second = 1000;

type Props = { head: RunHead; progress: RunProgress | undefined; history: RunHistory | null; onChanged: () => void };

/** The last run of a version: how far it is, the best plan so far, what happened; stopping it with or without that plan. [ENG-22] */
export function RunPanel({ head, progress, history, onChanged }: Props) {
  const t = useTranslations("engine-home");
  const href = useHref();
  const { can, offset } = useSession();
  const [asked, setAsked] = useState<CancelMode | null>(null);
  const status = progress?.status ?? head.status;
  const incumbent = progress?.incumbent ?? head.incumbent;
  const runs = status === "executing";
  const stopping = runs && progress?.cancelMode;
  const terminate = async (mode: CancelMode) => {
    const answer = signalAnswer(await callDoor("engine/executeEngine/terminate", { runId: head.id, mode }));
    if (answer.status >= 400) toast.problem(answer.msg ?? t("run.failed"));
    onChanged();
  };
  const position = progress?.queuePosition;
  const points = history ? pointsOf(history) : [];
  return (
    <section className={classes.run} aria-label={t("run.label")}>
      <div className={classes.line}>
        <h2>{t("run.label")}</h2>
        <Tag tone={tones[status]}>{t(`run.status.${status}`)}</Tag>
        {head.stoppedEarly ? <Tag tone="warn">{t("run.stoppedEarly")}</Tag> : null}
        <span className={classes.quiet}>
          {head.requestedBy} · {formatMinute(head.createdAt, offset)}
        </span>
        <span className={classes.grow} />
        {runs && can("engine.run") ? (
          <>
            <Button
              disabled={Boolean(stopping) || !incumbent}
              title={incumbent ? undefined : t("run.noneYet")}
              onClick={() => setAsked("keep_best")}
            >
              {t("run.keep_best")}
            </Button>
            <Button color="red" variant="outline" disabled={Boolean(stopping)} onClick={() => setAsked("discard")}>
              {t("run.discard")}
            </Button>
          </>
        ) : head.hasOutput ? (
          <LinkButton href={href("engineOutput", { query: { versionId: head.versionId, runId: head.id } })}>{t("run.output")}</LinkButton>
        ) : null}
      </div>
      {runs ? (
        <>
          <ProgressBar
            large
            done={progress?.percent ?? head.percent}
            total={progress?.phase === "queued" ? null : 100}
            label={t("run.bar")}
          />
          <p className={classes.line} role="status">
            <span>
              {stopping ? t("run.stopping") : position ? t("run.queued", { position }) : t(`run.phase.${progress?.phase ?? head.phase}`)}
            </span>
            <span>{`${formatNumber(Math.floor(progress?.percent ?? head.percent))}\u00a0%`}</span>
            {progress ? (
              <span className={classes.quiet}>
                {t("run.evaluations", { done: progress.evaluations, limit: progress.evaluationLimit })} ·{" "}
                {formatSpan(progress.elapsedS * second)}
              </span>
            ) : null}
          </p>
        </>
      ) : null}
      {!runs && head.message ? <p className={status === "success" ? classes.quiet : classes.problem}>{head.message}</p> : null}
      {head.inputsChanged && head.hasOutput ? <p className={classes.quiet}>{t("run.inputsChanged")}</p> : null}
      <div className={classes.best}>
        {incumbent ? <Figures incumbent={incumbent} bound={progress?.bound?.makespan ?? null} /> : null}
        {(runs ? points.length > 1 : points.some(({ value }) => value !== points[0]?.value)) ? (
          <figure>
            <figcaption>{t("run.spark")}</figcaption>
            <Sparkline points={points} label={t("run.sparkText", { first: points[0]?.value ?? 0, last: points.at(-1)?.value ?? 0 })} />
          </figure>
        ) : null}
      </div>
      {history && history.notes.length > 0 ? (
        <ScrollRegion label={t("run.log")} className={classes.log}>
          <ol>
            {history.notes.toReversed().map((note, at) => (
              <li key={history.notes.length - at}>
                <time>{formatSpan(note.at * second)}</time>
                {"phase" in note
                  ? t(note.phase === "done" ? `run.status.${status}` : `run.phase.${note.phase}`)
                  : t("run.better", {
                      finish: note.incumbent.finishDate ?? emptyText,
                      late: note.incumbent.lateDus,
                      gap: note.incumbent.gapDus,
                    })}
              </li>
            ))}
          </ol>
        </ScrollRegion>
      ) : null}
      {asked ? (
        <Confirm
          opened
          verb={t(`run.${asked}`)}
          danger={asked === "discard"}
          onConfirm={() => terminate(asked)}
          onClose={() => setAsked(null)}
        >
          {t(`run.ask.${asked}`)}
        </Confirm>
      ) : null}
    </section>
  );
}

function Figures({ incumbent, bound }: { incumbent: Incumbent; bound: number | null }) {
  const t = useTranslations("engine-home");
  const all: [key: "finish" | "late" | "lateDays" | "gap" | "makespan", value: string][] = [
    ["finish", incumbent.finishDate ?? emptyText],
    ["late", formatNumber(incumbent.lateDus)],
    ["lateDays", formatNumber(incumbent.lateDays)],
    ["gap", formatNumber(incumbent.gapDus)],
    ["makespan", bound === null ? formatNumber(incumbent.makespan) : t("run.figure.bound", { makespan: incumbent.makespan, bound })],
  ];
  return (
    <dl className={classes.facts}>
      {all.map(([key, value]) => (
        <div key={key}>
          <dt>{t(`run.figure.${key}`)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
