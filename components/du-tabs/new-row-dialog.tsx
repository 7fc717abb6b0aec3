"use client";
import { Button, Modal, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard } from "#components/ui/close-guard.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { toast } from "#components/ui/toast.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor, listAddress } from "#lib/core/call-door.ts";
import type { Answer } from "#lib/core/error.ts";
import { snChars } from "#lib/du-tabs/limits.ts";
import type { Tab, TabAttribute } from "#lib/du-tabs/queries.ts";
import type { SavedRows } from "#lib/du-tabs/rows/commands.ts";
import classes from "./du-tabs.module.css";

const found = 20;
const typingMs = 250;

type Props = { tab: Tab; attributes: readonly TabAttribute[]; onMade: () => void; onClose: () => void };

/** A new row of a DU: its serial number and what it must have; the rest is filled in the table. */
export function NewRowDialog({ tab, attributes, onMade, onClose }: Props) {
  const t = useTranslations("du-tabs.new");
  const columns = useTranslations("du-tabs.sheet");
  const fields = useTranslations("dus.fields");
  const common = useTranslations("common");
  const id = useId();
  const project = useProjectNumber();
  const [typed, setTyped] = useState("");
  const [word] = useDebouncedValue(typed.trim(), typingMs);
  const [duId, setDuId] = useState<string | null>(null);
  const [sn, setSn] = useState("");
  const [data, setData] = useState<Record<string, string>>({});
  const [answer, setAnswer] = useState<Answer<SavedRows> | null>(null);
  const [busy, setBusy] = useState(false);
  // A row that is made leaves behind what the next one begins with.
  const [begun, setBegun] = useState(() => JSON.stringify([duId, sn, data]));
  const { close, question } = useCloseGuard(JSON.stringify([duId, sn, data]) !== begun, onClose);
  const dus = useQuery({
    queryKey: ["tab-row-dus", project, word],
    meta: lookup,
    queryFn: async ({ signal }) => {
      const filters = word ? [{ field: "search", type: "like" as const, values: [word.split(" ")[0] ?? ""] }] : [];
      type Du = { id: number; code: string; name: string };
      return dataOf(await callDoor<{ records: Du[] }>(listAddress("du/list", 1, found, filters), {}, { signal })).records;
    },
  });
  const asked = attributes.filter(({ required, mode, level }) => required && mode === "RW" && level === "TAB");
  const problem = (path: string) => answer?.problems?.find((one) => one.path === `rows.0.${path}`)?.msg;
  const known = ["duId", "sn", ...asked.map(({ key }) => `data.${key}`)].some(problem);
  const send = async (goOn: boolean) => {
    setBusy(true);
    const given = await callDoor<SavedRows>("duTabAttr/saveRow", {
      tabId: tab.id,
      rows: [{ duId: Number(duId) || 0, sn: sn.trim() || null, data }],
    });
    setBusy(false);
    setAnswer(given.status >= 400 ? given : null);
    if (given.status >= 400) return;
    toast.done(t("done", { sn: sn.trim() }));
    onMade();
    setSn("");
    setBegun(JSON.stringify([duId, "", data]));
    if (!goOn) onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(false);
  };
  const change = (key: string, value: string) => {
    setData((before) => ({ ...before, [key]: value }));
    setAnswer(null);
  };
  return (
    <Modal opened onClose={close} title={t("title", { tab: tab.name })} size={440} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <Field id={`${id}-du`} label={fields("code")} required help={t("duHelp")} error={problem("duId")}>
          <Select
            id={`${id}-du`}
            searchable
            data-autofocus
            data={(dus.data ?? []).map((du) => ({ value: String(du.id), label: du.code === du.name ? du.code : `${du.code} ${du.name}` }))}
            // The server has searched; what it found stays.
            filter={({ options }) => options}
            nothingFoundMessage={dus.isSuccess ? t("noDu") : undefined}
            searchValue={typed}
            onSearchChange={setTyped}
            value={duId}
            error={Boolean(problem("duId"))}
            aria-describedby={fieldNoteId(`${id}-du`)}
            onChange={(value) => {
              setDuId(value);
              setAnswer(null);
            }}
          />
        </Field>
        <Field id={`${id}-sn`} label={columns("sn")} required count={{ used: [...sn].length, max: snChars }} error={problem("sn")}>
          <TextInput
            id={`${id}-sn`}
            value={sn}
            maxLength={snChars}
            error={Boolean(problem("sn"))}
            aria-describedby={fieldNoteId(`${id}-sn`)}
            onChange={(event) => {
              setSn(event.currentTarget.value);
              setAnswer(null);
            }}
          />
        </Field>
        {asked.map((attribute) => (
          <ValueField
            key={attribute.key}
            id={`${id}-${attribute.key}`}
            attribute={attribute}
            value={data[attribute.key] ?? ""}
            above={attribute.parentKey ? data[attribute.parentKey] : undefined}
            error={problem(`data.${attribute.key}`)}
            onChange={(value) => change(attribute.key, value)}
          />
        ))}
        {answer && !known ? (
          <p className={classes.problem} role="alert">
            {answer.problems?.[0]?.msg ?? answer.msg ?? t("failed")}
          </p>
        ) : null}
        <div className={classes.foot}>
          <Button onClick={close}>{common("cancel")}</Button>
          <Button disabled={busy} onClick={() => void send(true)}>
            {t("again")}
          </Button>
          <Button type="submit" variant="filled" loading={busy}>
            {common("create")}
          </Button>
        </div>
      </form>
      {question}
    </Modal>
  );
}

type ValueProps = {
  id: string;
  attribute: TabAttribute;
  value: string;
  above: string | undefined;
  error: string | undefined;
  onChange: (value: string) => void;
};

/** A value that a new row must have, typed or chosen as its attribute wants it. */
function ValueField({ id, attribute, value, above, error, onChange }: ValueProps) {
  const t = useTranslations("du-tabs.new");
  const { name, type, choices, parentKey } = attribute;
  const isChosen = type === "ENUM" || type === "LOOKUP_ENUM";
  const offered = choices.filter(
    ({ parent, isRetired }) => !isRetired && (!parentKey || above === undefined || parent === undefined || String(parent) === above),
  );
  return (
    <Field id={id} label={name} required error={error} help={t.has(`form.${type}` as never) ? t(`form.${type}` as never) : undefined}>
      {isChosen ? (
        <Select
          id={id}
          searchable
          data={offered.map((choice) => ({ value: String(choice.id), label: choice.value }))}
          value={value || null}
          error={Boolean(error)}
          aria-describedby={fieldNoteId(id)}
          onChange={(next) => onChange(next ?? "")}
        />
      ) : (
        <TextInput
          id={id}
          value={value}
          error={Boolean(error)}
          aria-describedby={fieldNoteId(id)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
