"use client";

import { Button, Checkbox, TextInput } from "@mantine/core";
import { IconLink, IconTrash, IconUsers } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useCopy } from "#components/ui/use-copy.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { Answer } from "#lib/core/error.ts";
import { deleteViews, saveView } from "#lib/rollout-plan/saved-views/actions.ts";
import { viewNameChars } from "#lib/rollout-plan/saved-views/limits.ts";
import type { ViewHead } from "#lib/rollout-plan/saved-views/queries.ts";
import styles from "./saved-views-menu.module.css";
import type { SavedViews } from "./use-saved-view.ts";

type Props = { views: SavedViews; onClose: () => void };

/** Kept views of the plan: one's own and shared ones to open, the open one to change, share, copy its address or leave, and what is shown to keep. */
export function SavedViewsMenu({ views, onClose }: Props) {
  const t = useTranslations("plan-views.saved");
  const project = useProjectNumber();
  const client = useQueryClient();
  const key = ["saved views", project];
  const found = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => dataOf(await callDoor<{ records: ViewHead[] }>("savedView/list", {}, { signal })).records,
    staleTime: 0,
  });
  const refresh = () => client.invalidateQueries({ queryKey: key });
  const { opened } = views;
  const all = found.data ?? [];
  const open = (id: string) => {
    onClose();
    void views.open(id);
  };
  const groups = [
    { title: t("mine"), rows: all.filter(({ mine }) => mine) },
    { title: t("shared"), rows: all.filter(({ mine }) => !mine) },
  ].filter(({ rows }) => rows.length > 0);
  return (
    <div className={styles.menu} aria-busy={found.isPending}>
      {opened && <OpenedView key={opened.id} views={views} opened={opened} onChanged={refresh} onClose={onClose} />}
      {found.isError && !found.data && <ErrorPanel title={t("notRead")} failed={found.error} onRetry={() => void found.refetch()} />}
      {found.data?.length === 0 && <p className={styles.quiet}>{t("none")}</p>}
      {groups.map(({ title, rows }) => (
        <section key={title} aria-label={title}>
          <h2 className={styles.title}>{title}</h2>
          <ul className={styles.list}>
            {rows.map((view) => (
              <ViewRow
                key={view.id}
                view={view}
                current={view.id === opened?.id}
                onOpen={() => open(view.id)}
                views={views}
                onChanged={refresh}
              />
            ))}
          </ul>
        </section>
      ))}
      <NewView
        views={views}
        onSaved={(view) => {
          void refresh();
          views.saved(view);
          onClose();
        }}
      />
    </div>
  );
}

type RowProps = { view: ViewHead; current: boolean; views: SavedViews; onOpen: () => void; onChanged: () => Promise<unknown> };

function ViewRow({ view, current, views, onOpen, onChanged }: RowProps) {
  const t = useTranslations("plan-views.saved");
  const common = useTranslations("common");
  const href = useHref();
  const [asking, setAsking] = useState(false);
  const [remove, removing] = useAction(deleteViews);
  const put = useCopy();
  const copy = () =>
    put(new URL(href("rolloutPlan", { query: { saved: view.id } }), window.location.href).href, {
      done: t(view.shared ? "copied" : "copiedPrivate"),
    });
  const drop = async () => {
    const answer = await remove({ ids: [view.id] });
    if (answer.status >= 400 && answer.code !== "NOT_FOUND") return toast.problem(answer.msg ?? t("failed"));
    if (current) await views.leave();
    await onChanged();
  };
  if (asking)
    return (
      <li className={styles.row}>
        <Button variant="filled" color="red" loading={removing} onClick={drop}>
          {t("delete", { name: view.name })}
        </Button>
        <Button data-autofocus onClick={() => setAsking(false)}>
          {common("cancel")}
        </Button>
      </li>
    );
  return (
    <li className={styles.row}>
      <button type="button" className={styles.name} aria-current={current || undefined} onClick={onOpen}>
        <span>{view.name}</span>
        {!view.mine && <small>{view.owner}</small>}
        {view.mine && view.shared && (
          <span className={styles.mark} title={t("isShared")}>
            <IconUsers size={14} stroke={1.4} aria-hidden />
            <span className="visually-hidden">{t("isShared")}</span>
          </span>
        )}
      </button>
      <button type="button" className={styles.icon} aria-label={t("copy", { name: view.name })} title={t("copyLink")} onClick={copy}>
        <IconLink size={14} stroke={1.4} aria-hidden />
      </button>
      {view.mine && (
        <button
          type="button"
          className={styles.icon}
          aria-label={t("delete", { name: view.name })}
          title={common("delete")}
          onClick={() => setAsking(true)}
        >
          <IconTrash size={14} stroke={1.4} aria-hidden />
        </button>
      )}
    </li>
  );
}

type OpenedProps = { views: SavedViews; opened: ViewHead; onChanged: () => Promise<unknown>; onClose: () => void };

/** The view that is open: one's own is changed here, another's is left or made the own start. */
function OpenedView({ views, opened, onChanged, onClose }: OpenedProps) {
  const t = useTranslations("plan-views.saved");
  const common = useTranslations("common");
  const id = useId();
  const [name, setName] = useState(opened.name);
  const [shared, setShared] = useState(opened.shared);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [save, saving] = useAction(saveView);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const given = await save({ id: opened.id, name, shared, state: views.shown(), rowVersion: opened.rowVersion });
    if (!given.data) return setAnswer(given);
    await onChanged();
    views.saved({ ...opened, name: name.trim(), shared, rowVersion: given.data.rowVersion });
    onClose();
  };
  const error = nameError(answer);
  return (
    <section aria-label={t("opened", { name: opened.name })} className={styles.opened}>
      <h2 className={styles.title}>{t("opened", { name: opened.name })}</h2>
      {opened.mine && (
        <form className={styles.form} onSubmit={submit} noValidate>
          <Field id={id} label={t("name")} required count={{ used: [...name].length, max: viewNameChars }} error={error}>
            <TextInput
              id={id}
              value={name}
              error={Boolean(error)}
              aria-describedby={fieldNoteId(id)}
              onChange={(event) => {
                setName(event.currentTarget.value);
                setAnswer(null);
              }}
            />
          </Field>
          <Checkbox label={t("share")} checked={shared} onChange={(event) => setShared(event.currentTarget.checked)} />
          <Button type="submit" variant="filled" loading={saving}>
            {common("save")}
          </Button>
        </form>
      )}
      <div className={styles.verbs}>
        <Button
          onClick={() => {
            views.adopt();
            onClose();
          }}
        >
          {t("adopt")}
        </Button>
        <Button
          onClick={() => {
            onClose();
            void views.leave();
          }}
        >
          {t("leave")}
        </Button>
      </div>
    </section>
  );
}

/** Keeps what is shown under a new name. */
function NewView({ views, onSaved }: { views: SavedViews; onSaved: (view: ViewHead) => void }) {
  const t = useTranslations("plan-views.saved");
  const id = useId();
  const [name, setName] = useState("");
  const [shared, setShared] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [save, saving] = useAction(saveView);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const given = await save({ name, shared, state: views.shown() });
    if (!given.data) return setAnswer(given);
    onSaved({ ...given.data, name: name.trim(), shared, mine: true, owner: "" });
  };
  const error = nameError(answer);
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <Field id={id} label={t("newName")} required count={{ used: [...name].length, max: viewNameChars }} error={error}>
        <TextInput
          id={id}
          value={name}
          error={Boolean(error)}
          aria-describedby={fieldNoteId(id)}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setAnswer(null);
          }}
        />
      </Field>
      <Checkbox label={t("share")} checked={shared} onChange={(event) => setShared(event.currentTarget.checked)} />
      <Button type="submit" variant={views.opened?.mine ? "default" : "filled"} loading={saving}>
        {t("keep")}
      </Button>
    </form>
  );
}

function nameError(answer: Answer | null): string | undefined {
  if (!answer || answer.status < 400) return undefined;
  return answer.problems?.[0]?.msg ?? answer.msg ?? answer.code;
}
