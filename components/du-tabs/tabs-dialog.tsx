"use client";
import { ActionIcon, Button, Checkbox, Modal, NativeSelect, TextInput } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconPencil, IconTrash } from "@tabler/icons-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import listFrame from "#components/ui/list-frame.module.css";
import { toast } from "#components/ui/toast.ts";
import { useHref } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import wrapped from "#components/ui/wrap-table.module.css";
import { callDoor } from "#lib/core/call-door.ts";
import type { Answer } from "#lib/core/error.ts";
import { keyModes, sortMax, stateCountry, tabNameChars } from "#lib/du-tabs/limits.ts";
import type { Tab, TabColumns } from "#lib/du-tabs/queries.ts";
import classes from "./du-tabs.module.css";

type Given = Pick<Tab, "name" | "keyMode" | "brazilOnly"> & { tab: Tab | null };
type Props = {
  tabs: readonly (Tab & { rows: number })[];
  /** The columns of the tab that is shown. */
  shown: { id: number; columns: TabColumns } | null;
  startsNew: boolean;
  onChanged: (id?: number) => Promise<void>;
  onClose: () => void;
};

/** The tabs of the project: made, renamed, brought into order, deleted where they have neither rows nor columns. */
export function TabsDialog({ tabs, shown, startsNew, onChanged, onClose }: Props) {
  const t = useTranslations("du-tabs.admin");
  const common = useTranslations("common");
  const href = useHref();
  const fresh: Given = { tab: null, name: "", keyMode: "SN", brazilOnly: false };
  const [given, setGiven] = useState<Given | null>(startsNew ? fresh : null);
  const [asked, setAsked] = useState<Tab | null>(null);
  const [busy, setBusy] = useState(false);
  const tell = async (answer: Answer<{ id: number }>, id?: number): Promise<boolean> => {
    setBusy(false);
    if (answer.status >= 400) toast.problem(answer.problems?.[0]?.msg ?? answer.msg ?? t("failed"));
    await onChanged(id);
    return answer.status < 400;
  };
  const inputOf = ({ id, name, keyMode, brazilOnly, rowVersion }: Tab, sortNo: number) => ({
    id,
    name,
    keyMode,
    sortNo,
    brazilOnly,
    rowVersion,
  });
  const move = async (at: number, step: number) => {
    setBusy(true);
    const order = [...tabs];
    const [one] = order.splice(at, 1);
    order.splice(at + step, 0, one as Tab & { rows: number });
    // Equal places are told apart on the way; what stays where it is is not written.
    let answer: Answer<{ id: number }> = { status: 200 };
    for (const [index, tab] of order.entries())
      if (tab.sortNo !== index + 1 && answer.status < 400) answer = await callDoor("duTabAttr/tab/save", inputOf(tab, index + 1));
    await tell(answer);
  };
  return (
    <Modal opened onClose={onClose} title={t("title")} size={720} closeButtonProps={{ "aria-label": common("close") }}>
      {given ? (
        <TabForm
          given={given}
          next={Math.min(sortMax, Math.max(0, ...tabs.map(({ sortNo }) => sortNo)) + 1)}
          onSaved={async (id) => {
            await onChanged(given.tab ? undefined : id);
            setGiven(null);
          }}
          onClose={() => (startsNew && tabs.length === 0 ? onClose() : setGiven(null))}
        />
      ) : (
        <div className={classes.form}>
          <table className={wrapped.table} aria-label={t("title")} aria-busy={busy}>
            <thead>
              <tr>
                <th scope="col">{t("name")}</th>
                <th scope="col">{t("keyMode")}</th>
                <th scope="col">{t("rows")}</th>
                <th scope="col">
                  <span hidden>{t("verbs")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {tabs.map((tab, at) => (
                <tr key={tab.id}>
                  <th scope="row">
                    {tab.name}
                    {tab.brazilOnly ? <small className={classes.note}>{t("brazilOnly")}</small> : null}
                  </th>
                  <td>{t(`mode.${tab.keyMode}`)}</td>
                  <td className={wrapped.figure}>{tab.rows}</td>
                  <td>
                    <span className={wrapped.verbs}>
                      <ActionIcon
                        size={24}
                        aria-label={t("up", { name: tab.name })}
                        disabled={at === 0 || busy}
                        onClick={() => move(at, -1)}
                      >
                        <IconArrowUp size={14} stroke={1.4} />
                      </ActionIcon>
                      <ActionIcon
                        size={24}
                        aria-label={t("down", { name: tab.name })}
                        disabled={at === tabs.length - 1 || busy}
                        onClick={() => move(at, 1)}
                      >
                        <IconArrowDown size={14} stroke={1.4} />
                      </ActionIcon>
                      <ActionIcon size={24} aria-label={t("edit", { name: tab.name })} onClick={() => setGiven({ ...tab, tab })}>
                        <IconPencil size={14} stroke={1.4} />
                      </ActionIcon>
                      <ActionIcon size={24} aria-label={t("delete", { name: tab.name })} onClick={() => setAsked(tab)}>
                        <IconTrash size={14} stroke={1.4} />
                      </ActionIcon>
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {shown ? (
            <p className={classes.quiet}>
              {t("columns", {
                tab: tabs.find(({ id }) => id === shown.id)?.name ?? "",
                names: shown.columns.attributes.map(({ name }) => name).join(", ") || "-",
              })}
            </p>
          ) : null}
          <div className={classes.foot}>
            <Link className={classes.link} href={href("attributes")} prefetch={false}>
              {t("toColumns")}
            </Link>
            <span className={listFrame.grow} />
            <Button variant="filled" onClick={() => setGiven(fresh)}>
              {t("new")}
            </Button>
          </div>
        </div>
      )}
      <Confirm
        opened={asked !== null}
        danger
        verb={common("delete")}
        title={t("delete", { name: asked?.name ?? "" })}
        onConfirm={async () => asked && tell(await callDoor("duTabAttr/tab/delete", { ids: [asked.id] }))}
        onClose={() => setAsked(null)}
      >
        {t("deleteText")}
      </Confirm>
    </Modal>
  );
}

type FormProps = { given: Given; next: number; onSaved: (id: number) => Promise<void>; onClose: () => void };

/** A tab: its name and what makes a row of it one of its kind. */
function TabForm({ given, next, onSaved, onClose }: FormProps) {
  const t = useTranslations("du-tabs.admin");
  const common = useTranslations("common");
  const id = useId();
  const { project } = useSession();
  const [values, setValues] = useState({ name: given.name, keyMode: given.keyMode, brazilOnly: given.brazilOnly });
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [busy, setBusy] = useState(false);
  const set = (part: Partial<typeof values>) => {
    setValues((before) => ({ ...before, ...part }));
    setAnswer(null);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const { tab } = given;
    const place = tab ? { id: tab.id, rowVersion: tab.rowVersion, sortNo: tab.sortNo } : { sortNo: next };
    const saved = await callDoor<{ id: number }>("duTabAttr/tab/save", { ...values, ...place });
    setBusy(false);
    if (saved.data) await onSaved(saved.data.id);
    else setAnswer(saved);
  };
  const ofName = answer?.problems?.find(({ path, code }) => path === "name" && code !== "TAB_HAS_ROWS")?.msg;
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <Field id={`${id}-name`} label={t("name")} required count={{ used: [...values.name].length, max: tabNameChars }} error={ofName}>
        <TextInput
          id={`${id}-name`}
          data-autofocus
          value={values.name}
          error={Boolean(ofName)}
          aria-describedby={fieldNoteId(`${id}-name`)}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
      </Field>
      <Field id={`${id}-mode`} label={t("keyMode")} help={t("keyModeHelp")}>
        <NativeSelect
          id={`${id}-mode`}
          value={values.keyMode}
          data={keyModes.map((mode) => ({ value: mode, label: t(`mode.${mode}`) }))}
          onChange={(event) => set({ keyMode: event.currentTarget.value as Tab["keyMode"] })}
        />
      </Field>
      {project.country === stateCountry || values.brazilOnly ? (
        <Checkbox
          label={t("brazilOnly")}
          checked={values.brazilOnly}
          onChange={(event) => set({ brazilOnly: event.currentTarget.checked })}
        />
      ) : null}
      <DialogFoot
        problem={answer && !ofName ? (answer.problems?.[0]?.msg ?? answer.msg ?? t("failed")) : undefined}
        verb={given.tab ? common("save") : common("create")}
        busy={busy}
        onClose={onClose}
      />
    </form>
  );
}
