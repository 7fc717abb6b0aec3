"use client";
import { Button, Modal, NativeSelect, Select, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, Fragment, useId, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { toast } from "#components/ui/toast.ts";
import { useUnsaved } from "#components/ui/unsaved.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { type AttributeMode, attributeModes } from "#lib/attributes/modes/limits.ts";
import { entryMode, type PermissionEntry } from "#lib/attributes/modes/logic.ts";
import type { MatrixAttribute, PermissionRow } from "#lib/attributes/permissions/queries.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { roleName } from "#lib/core/format.ts";
import classes from "./attributes.module.css";
import { GrantsDialog } from "./grants-dialog.tsx";
import { type Person, personChoices, roleChoices } from "./subject-choices.ts";
import { useAttributeTabs } from "./use-attribute-tabs.ts";
import { useSave } from "./use-save.ts";

type Data = { permissions: PermissionRow[]; attributes: MatrixAttribute[]; people: Person[] };
/** Edited entries of a permission, and the permission as it was when the first of them was edited. */
type Draft = { opened: PermissionRow; entries: readonly PermissionEntry[] };
const isEdited = ({ opened, entries }: Draft) => JSON.stringify(entries) !== JSON.stringify(opened.entries);
const nameOf = (row: Pick<PermissionRow, "role" | "name" | "account">) => (row.role ? roleName(row.role) : `${row.name} (${row.account})`);

/** What each role and account may do with each attribute; only the PM opens it. [ATT-04] */
export function PermissionsPage() {
  const t = useTranslations("attributes.permissions");
  const discard = useTranslations("ui.discard");
  const project = useProjectNumber();
  const client = useQueryClient();
  const tabs = useAttributeTabs();
  const key = ["attribute permissions", project];
  const data = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => dataOf(await callDoor<Data>("attrPermission/list", {}, { signal })),
  });
  const [chosen, setChosen] = useState<number | null>(null);
  const [asked, setAsked] = useState<number | null>(null);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [open, setOpen] = useState<"add" | "grants" | null>(null);
  const rows = data.data?.permissions ?? [];
  const row = rows.find(({ id }) => id === (chosen ?? draft?.opened.id)) ?? rows[0];
  const held = draft && draft.opened.id === row?.id ? draft : null;
  const dirty = held !== null && isEdited(held);
  useUnsaved(dirty);
  const refresh = () => client.invalidateQueries({ queryKey: key });
  const choose = (id: number) => {
    if (dirty && id !== row?.id) return setAsked(id);
    setChosen(id);
  };
  const group = (type: PermissionRow["subjectType"]) => {
    const own = rows.filter(({ subjectType }) => subjectType === type);
    return own.length === 0 ? null : (
      <>
        <h2>{t(`subject.${type}`)}</h2>
        {own.map((one) => (
          <button key={one.id} type="button" className={classes.subject} aria-current={one === row} onClick={() => choose(one.id)}>
            {nameOf(one)}
          </button>
        ))}
      </>
    );
  };
  const add = (
    <Button variant="filled" leftSection={<IconPlus size={14} stroke={1.7} />} disabled={!data.data} onClick={() => setOpen("add")}>
      {t("add")}
    </Button>
  );
  return (
    <>
      <PageBar tabs={tabs} tab="attributePermissions">
        <Button disabled={!data.data} onClick={() => setOpen("grants")}>
          {t("grants.verb")}
        </Button>
        {add}
      </PageBar>
      {data.isError && !data.data ? (
        <ErrorPanel title={t("failed")} failed={data.error} onRetry={() => data.refetch()} />
      ) : data.isSuccess && rows.length === 0 ? (
        <EmptyState title={t("empty")} text={t("emptyText")}>
          {add}
        </EmptyState>
      ) : (
        <div className={classes.split} aria-busy={data.isFetching}>
          <nav className={classes.subjects} aria-label={t("subjects")}>
            {group("ROLE")}
            {group("ACCOUNT")}
          </nav>
          {row && data.data ? (
            <Matrix
              key={row.id}
              row={row}
              draft={held}
              others={rows.filter((one) => one !== row)}
              attributes={data.data.attributes}
              onDraft={setDraft}
              onDone={refresh}
            />
          ) : null}
        </div>
      )}
      {open === "add" && data.data ? (
        <AddDialog
          people={data.data.people}
          onClose={() => setOpen(null)}
          onDone={async (id) => {
            await refresh();
            choose(id);
            setOpen(null);
          }}
        />
      ) : null}
      {open === "grants" && data.data ? <GrantsDialog people={data.data.people} onClose={() => setOpen(null)} /> : null}
      <Confirm
        opened={asked !== null}
        danger
        verb={discard("verb")}
        onConfirm={() => {
          setDraft(null);
          setChosen(asked);
        }}
        onClose={() => setAsked(null)}
      >
        {discard("text")}
      </Confirm>
    </>
  );
}

type MatrixProps = {
  row: PermissionRow;
  /** What is edited of it. */
  draft: Draft | null;
  others: readonly PermissionRow[];
  attributes: readonly MatrixAttribute[];
  onDraft: (next: (before: Draft | null) => Draft | null) => void;
  onDone: () => Promise<void>;
};

function Matrix({ row, draft, others, attributes, onDraft, onDone }: MatrixProps) {
  const t = useTranslations("attributes.permissions");
  const common = useTranslations("common");
  const discard = useTranslations("ui.discard");
  const id = useId();
  const [text, setText] = useState("");
  const [asked, setAsked] = useState(false);
  const [copied, setCopied] = useState<PermissionRow | null>(null);
  const { busy, problem, save } = useSave<{ rowVersion: number }>("attrPermission/save");
  const dirty = draft !== null && isEdited(draft);
  // What was saved is shown until it was read again.
  const { opened, entries } = draft && (dirty || draft.opened.rowVersion > row.rowVersion) ? draft : { opened: row, entries: row.entries };
  const edit = (next: readonly PermissionEntry[]) => onDraft(() => ({ opened, entries: next }));
  const word = text.trim().toLowerCase();
  const found = attributes.filter(({ name }) => name.toLowerCase().includes(word));
  const groups = [...Map.groupBy(found, ({ classification }) => classification ?? "")].sort(([left], [right]) => left.localeCompare(right));
  const set = (ids: readonly (number | "*")[], mode: AttributeMode) =>
    edit([...entries.filter(({ attributeId }) => !ids.includes(attributeId)), ...ids.map((attributeId) => ({ attributeId, mode }))]);
  const store = async () => {
    const { subjectType, role, userId, rowVersion } = opened;
    const answer = await save({ id: row.id, rowVersion, subjectType, ...(role ? { role } : {}), ...(userId ? { userId } : {}), entries });
    if (!answer.data) return;
    const saved = { ...opened, entries: [...entries], rowVersion: answer.data.rowVersion };
    onDraft((before) => (before?.opened.id === saved.id ? { ...before, opened: saved } : before));
    await onDone();
  };
  const choice = (name: string, ids: readonly (number | "*")[], present: AttributeMode | null) => (
    <fieldset className={classes.modes}>
      <legend className="visually-hidden">{name}</legend>
      {attributeModes.map((mode) => (
        <label key={mode}>
          <input type="radio" name={`${id} ${name}`} checked={present === mode} onChange={() => set(ids, mode)} />
          {t(`mode.${mode}`)}
        </label>
      ))}
    </fieldset>
  );
  const whole = entries.find(({ attributeId }) => attributeId === "*")?.mode ?? null;
  return (
    <div className={classes.matrixSide}>
      <search className={classes.bar}>
        <TextInput
          aria-label={t("search")}
          placeholder={t("search")}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <NativeSelect
          aria-label={t("copy")}
          value=""
          data={[{ value: "", label: t("copy") }, ...others.map((one) => ({ value: String(one.id), label: nameOf(one) }))]}
          onChange={(event) => {
            const from = others.find((one) => String(one.id) === event.currentTarget.value);
            if (!from) return;
            if (dirty) setCopied(from);
            else edit(from.entries);
          }}
        />
        <span className={classes.quiet}>{t("count", { count: found.length })}</span>
      </search>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section className={classes.scroll} aria-label={t("matrix", { name: nameOf(row) })} tabIndex={0}>
        <table className={classes.matrix}>
          <thead>
            <tr>
              <th scope="col">{t("attribute")}</th>
              <th scope="col">{t("may")}</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{t("all")}</th>
              <td>{choice(t("all"), ["*"], whole)}</td>
            </tr>
            {groups.map(([name, own]) => (
              <Fragment key={name}>
                <tr>
                  <th scope="rowgroup" className={classes.group}>
                    {name || t("unclassified")}
                  </th>
                  <td className={classes.group}>
                    {choice(
                      t("allOf", { name: name || t("unclassified") }),
                      own.map((attribute) => attribute.id),
                      null,
                    )}
                  </td>
                </tr>
                {own.map((attribute) => (
                  <tr key={attribute.id}>
                    <th scope="row">{attribute.name}</th>
                    <td>{choice(attribute.name, [attribute.id], entryMode(entries, attribute.id) ?? "RW")}</td>
                  </tr>
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </section>
      <div className={classes.foot}>
        <span className={classes.problem} role="alert">
          {problem}
        </span>
        <Button color="red" variant="subtle" onClick={() => setAsked(true)}>
          {common("delete")}
        </Button>
        <Button disabled={!dirty} onClick={() => onDraft(() => null)}>
          {common("cancel")}
        </Button>
        <Button variant="filled" disabled={!dirty} loading={busy} onClick={store}>
          {common("save")}
        </Button>
      </div>
      <Confirm
        opened={asked}
        danger
        verb={t("delete")}
        onConfirm={async () => {
          const answer = await callDoor("attrPermission/delete", { ids: [row.id] });
          if (answer.status >= 400) toast.problem(answer.msg ?? common("failed"));
          await onDone();
        }}
        onClose={() => setAsked(false)}
      >
        {t("deleteText", { name: nameOf(row) })}
      </Confirm>
      <Confirm
        opened={copied !== null}
        danger
        verb={discard("verb")}
        onConfirm={() => copied && edit(copied.entries)}
        onClose={() => setCopied(null)}
      >
        {discard("text")}
      </Confirm>
    </div>
  );
}

function AddDialog({ people, onClose, onDone }: { people: readonly Person[]; onClose: () => void; onDone: (id: number) => Promise<void> }) {
  const t = useTranslations("attributes.permissions");
  const common = useTranslations("common");
  const [role, setRole] = useState<string | null>(null);
  const [person, setPerson] = useState<string | null>(null);
  const { busy, faults, problem, save } = useSave<{ id: number }>("attrPermission/save");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const subject = person ? { subjectType: "ACCOUNT", userId: Number(person) } : { subjectType: "ROLE", ...(role ? { role } : {}) };
    const answer = await save({ ...subject, entries: [] });
    if (answer.status < 400 && answer.data) await onDone(answer.data.id);
  };
  return (
    <Modal opened onClose={onClose} title={t("add")} size={440} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <Select
          label={t("subject.ROLE")}
          searchable
          clearable
          data={roleChoices}
          value={role}
          disabled={person !== null}
          error={faults.role}
          onChange={setRole}
        />
        <Select
          label={t("subject.ACCOUNT")}
          searchable
          clearable
          data={personChoices(people)}
          value={person}
          disabled={role !== null}
          error={faults.userId}
          onChange={setPerson}
        />
        <DialogFoot problem={problem} verb={t("add")} busy={busy} onClose={onClose} />
      </form>
    </Modal>
  );
}
