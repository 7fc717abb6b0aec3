"use client";
import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconArrowRight, IconPlayerStop, IconRefresh, IconTrash } from "@tabler/icons-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useHref } from "#components/ui/use-href.ts";
import type { Answer } from "#lib/core/error.ts";
import { formatNumber } from "#lib/core/format.ts";
import { importKinds } from "#lib/imports/limits.ts";
import { cancelTask, deleteTask, retryTask } from "#lib/tasks/actions.ts";
import type { TaskRow } from "#lib/tasks/queries.ts";
import classes from "./tasks.module.css";

type Props = {
  task: TaskRow;
  /** Read the list again. */
  onChange: () => void;
  /** Words beside the icons, for the foot of a dialog. */
  words?: boolean;
};

/** What the person may do with a task now; what cannot be undone is asked first. */
export function TaskActions({ task, onChange, words = false }: Props) {
  const t = useTranslations("tasks");
  const href = useHref();
  const [asked, setAsked] = useState<"cancel" | "remove" | null>(null);
  const [cancel, cancelling] = useAction(cancelTask);
  const [retry, retrying] = useAction(retryTask);
  const [remove] = useAction(deleteTask);
  const show = (answer: Answer, done: string) => {
    if (answer.status >= 400) toast.problem(answer.msg ?? answer.code);
    else toast.done(done);
    onChange();
  };
  const stop = async () => {
    const answer = await cancel({ id: task.id });
    show(answer, t(answer.data?.status === "cancelled" ? "done.cancelled" : "done.stopping", { title: task.title }));
  };
  const again = async () => show(await retry({ id: task.id }), t("done.retried", { title: task.title }));
  const drop = async () => show(await remove({ id: task.id }), t("done.removed", { title: task.title }));
  const queued = task.status === "queued";

  return (
    <span className={classes.actions}>
      {task.preview ? (
        <GoOn
          words={words}
          label={t("action.preview")}
          to={href(importKinds[task.preview].screen, { query: { import: task.preview, task: task.id } })}
        />
      ) : null}
      {task.may.cancel ? (
        <Verb
          words={words}
          label={t(queued ? "action.cancelQueued" : "action.cancel")}
          icon={<IconPlayerStop size={16} stroke={1.4} />}
          busy={cancelling}
          onClick={() => (queued ? stop() : setAsked("cancel"))}
        />
      ) : null}
      {task.may.retry ? (
        <Verb words={words} label={t("action.retry")} icon={<IconRefresh size={16} stroke={1.4} />} busy={retrying} onClick={again} />
      ) : null}
      {task.may.remove ? (
        <Verb words={words} label={t("action.remove")} icon={<IconTrash size={16} stroke={1.4} />} onClick={() => setAsked("remove")} />
      ) : null}
      <Confirm
        opened={asked === "cancel"}
        verb={t("action.cancel")}
        title={t("confirm.cancelTitle", { title: task.title })}
        onConfirm={stop}
        onClose={() => setAsked(null)}
      >
        {t("confirm.cancelText", { done: t("counts.done", { count: formatNumber(task.doneCount) }) })}
      </Confirm>
      <Confirm
        opened={asked === "remove"}
        verb={t("action.remove")}
        title={t("confirm.removeTitle", { title: task.title })}
        danger
        onConfirm={drop}
        onClose={() => setAsked(null)}
      >
        {t("confirm.removeText")}
      </Confirm>
    </span>
  );
}

/** Leads to where a checked file is gone on with. */
function GoOn({ words, label, to }: { words: boolean; label: string; to: string }) {
  const icon = <IconArrowRight size={16} stroke={1.4} />;
  if (words)
    return (
      <Button component={Link} href={to} prefetch={false} rightSection={icon}>
        {label}
      </Button>
    );
  return (
    <Tooltip label={label}>
      <ActionIcon component={Link} href={to} prefetch={false} size={24} aria-label={label}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}

type VerbProps = { words: boolean; label: string; icon: ReactNode; busy?: boolean; onClick: () => void };

function Verb({ words, label, icon, busy = false, onClick }: VerbProps) {
  if (words)
    return (
      <Button leftSection={icon} loading={busy} onClick={onClick}>
        {label}
      </Button>
    );
  return (
    <Tooltip label={label}>
      <ActionIcon size={24} aria-label={label} loading={busy} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
