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
import { Field } from "#components/ui/field.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { toast } from "#components/ui/toast.ts";
import { useUnsaved } from "#components/ui/unsaved.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { type AttributeMode, attributeModes } from "#lib/attributes/modes/limits.ts";
import { entryMode, type PermissionEntry } from "#lib/attributes/modes/logic.ts";
import type { GrantRow, MatrixAttribute, PermissionRow } from "#lib/attributes/permissions/queries.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { roles } from "#lib/permissions.ts";
import classes from "./attributes.module.css";
import { useAttributeTabs } from "./use-attribute-tabs.ts";
import { useSave } from "./use-save.ts";

type Data = { permissions: PermissionRow[]; attributes: MatrixAttribute[]; people: { id: number; name: string; account: string }[] };
const roleName = (role: string) => role.replaceAll("_", " ");
const nameOf = (row: Pick<PermissionRow, "role" | "name" | "account">) => (row.role ? roleName(row.role) : `${row.name} (${row.account})`);

/** What each role and account may do with each attribute; only the PM opens it. [ATT-04] */
export function PermissionsPage() {
  const t = useTranslations("attributes.permissions");
  const project = useProjectNumber();
  const client = useQueryClient();
  const tabs = useAttributeTabs();
  const key = ["attribute permissions", project];
  const data = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => dataOf(await callDoor<Data>("attrPermission/list", {}, { signal })),
  });
  const [chosen, setChosen] = useState<number | null>(null);
  const [open, setOpen] = useState<"add" | "grants" | null>(null);
  const rows = data.data?.permissions ?? [];
  const row = rows.find(({ id }) => id === chosen) ?? rows[0];
  const refresh = () => client.invalidateQueries({ queryKey: key });
  const group = (type: PermissionRow["subjectType"]) => {
    const own = rows.filter(({ subjectType }) => subjectType === type);
    return own.length === 0 ? null : (
      <>
        <h2>{t(`subject.${type}`)}</h2>
        {own.map((one) => (
          <button key={one.id} type="button" className={classes.subject} aria-current={one === row} onClick={() => setChosen(one.id)}>
            {nameOf(one)}
          </button>
        ))}
      </>
    );
  };
  const add = (
    <Button variant="filled" leftSection={<IconPlus size={14} stroke={1.7} />} onClick={() => setOpen("add")}>
      {t("add")}
    </Button>
  );
  return (
    <>
      <PageBar tabs={tabs} tab="attributePermissions">
        <Button onClick={() => setOpen("grants")}>{t("grants.verb")}</Button>
        {add}
      </PageBar>
      {data.isError ? (
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
              key={`${row.id} ${row.rowVersion}`}
              row={row}
              others={rows.filter((one) => one !== row)}
              attributes={data.data.attributes}
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
            setChosen(id);
            setOpen(null);
          }}
        />
      ) : null}
      {open === "grants" && data.data ? <GrantsDialog people={data.data.people} onClose={() => setOpen(null)} /> : null}
    </>
  );
}

type MatrixProps = {
  row: PermissionRow;
  others: readonly PermissionRow[];
  attributes: readonly MatrixAttribute[];
  onDone: () => Promise<void>;
};

function Matrix({ row, others, attributes, onDone }: MatrixProps) {
  const t = useTranslations("attributes.permissions");
  const common = useTranslations("common");
  const id = useId();
  const [entries, setEntries] = useState<readonly PermissionEntry[]>(row.entries);
  const [text, setText] = useState("");
  const [asked, setAsked] = useState(false);
  const { busy, problem, save } = useSave("attrPermission/save");
  const dirty = JSON.stringify(entries) !== JSON.stringify(row.entries);
  useUnsaved(dirty);
  const word = text.trim().toLowerCase();
  const found = attributes.filter(({ name }) => name.toLowerCase().includes(word));
  const groups = [...Map.groupBy(found, ({ classification }) => classification ?? "")].sort(([left], [right]) => left.localeCompare(right));
  const set = (ids: readonly (number | "*")[], mode: AttributeMode) =>
    setEntries((before) => [
      ...before.filter(({ attributeId }) => !ids.includes(attributeId)),
      ...ids.map((attributeId) => ({ attributeId, mode })),
    ]);
  const store = async () => {
    const { subjectType, role, userId, rowVersion } = row;
    const answer = await save({ id: row.id, rowVersion, subjectType, ...(role ? { role } : {}), ...(userId ? { userId } : {}), entries });
    if (answer.status < 400) await onDone();
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
            if (from) setEntries(from.entries);
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
        <Button disabled={!dirty} onClick={() => setEntries(row.entries)}>
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
    </div>
  );
}

type People = Data["people"];
const roleChoices = roles.map((role) => ({ value: role, label: roleName(role) }));
const personChoices = (people: People) =>
  people.map((person) => ({ value: String(person.id), label: `${person.name} (${person.account})` }));

function AddDialog({ people, onClose, onDone }: { people: People; onClose: () => void; onDone: (id: number) => Promise<void> }) {
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

function GrantsDialog({ people, onClose }: { people: People; onClose: () => void }) {
  const t = useTranslations("attributes.permissions");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const found = useQuery({
    queryKey: ["attribute grants", project],
    gcTime: 0,
    queryFn: async ({ signal }) => dataOf(await callDoor<{ grants: GrantRow[] }>("attrPermission/addGrant/find", {}, { signal })).grants,
  });
  const [edited, setEdited] = useState<{ role: string | null; userId: number | null }[] | null>(null);
  const grants = edited ?? found.data ?? [];
  const { busy, problem, save } = useSave("attrPermission/addGrant/save");
  const id = useId();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const given = grants.map(({ role, userId }) => (role ? { subjectType: "ROLE", role } : { subjectType: "ACCOUNT", userId }));
    if ((await save({ grants: given })).status < 400) onClose();
  };
  const nameOfGrant = ({ role, userId }: { role: string | null; userId: number | null }) =>
    role ? roleName(role) : (people.find((person) => person.id === userId)?.name ?? String(userId));
  return (
    <Modal opened onClose={onClose} title={t("grants.verb")} size={520} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <p className={classes.quiet}>{t(grants.length > 0 ? "grants.some" : "grants.none")}</p>
        <ul className={classes.choiceList}>
          {grants.map((grant) => (
            <li key={`${grant.role} ${grant.userId}`} className={classes.choice}>
              <span>{nameOfGrant(grant)}</span>
              <Button
                size="xs"
                aria-label={t("grants.remove", { name: nameOfGrant(grant) })}
                onClick={() => setEdited(grants.filter((one) => one !== grant))}
              >
                {common("delete")}
              </Button>
            </li>
          ))}
        </ul>
        <Field id={`${id}-role`} label={t("subject.ROLE")}>
          <Select
            id={`${id}-role`}
            searchable
            data={roleChoices.filter(({ value }) => !grants.some(({ role }) => role === value))}
            value={null}
            onChange={(role) => role && setEdited([...grants, { role, userId: null }])}
          />
        </Field>
        <Field id={`${id}-person`} label={t("subject.ACCOUNT")}>
          <Select
            id={`${id}-person`}
            searchable
            data={personChoices(people).filter(({ value }) => !grants.some(({ userId }) => String(userId) === value))}
            value={null}
            onChange={(value) => value && setEdited([...grants, { role: null, userId: Number(value) }])}
          />
        </Field>
        <DialogFoot problem={problem} verb={common("save")} busy={busy} onClose={onClose} />
      </form>
    </Modal>
  );
}
