"use client";
import { Button, Modal, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard } from "#components/ui/close-guard.tsx";
import { Confirm } from "#components/ui/confirm.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { lookupCodeChars } from "#lib/attributes/lookups/limits.ts";
import { readLines } from "#lib/attributes/lookups/logic.ts";
import type { LookupList } from "#lib/attributes/lookups/queries.ts";
import { callDoor } from "#lib/core/call-door.ts";
import classes from "./attributes.module.css";
import { useSave } from "./use-save.ts";

/** A list as it is typed. */
const textOf = (list: LookupList | null) =>
  (list?.values ?? [])
    .flatMap(({ value, children }) => (children.length > 0 ? children.map((child) => `${value}\t${child.value}`) : [value]))
    .join("\n");

/** The lookup lists of the project: a line a value, the second level behind a tab, as it is pasted from a sheet. */
export function LookupDialog({ mayEdit, onClose }: { mayEdit: boolean; onClose: () => void }) {
  const t = useTranslations("attributes.lookups");
  const common = useTranslations("common");
  const discard = useTranslations("ui.discard");
  const id = useId();
  const project = useProjectNumber();
  const client = useQueryClient();
  const key = ["lookups", project];
  const lists = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => dataOf(await callDoor<{ lists: LookupList[] }>("lookupList/list", {}, { signal })).lists,
  });
  const [chosen, setChosen] = useState<LookupList | null>(null);
  const [code, setCode] = useState("");
  const [text, setText] = useState("");
  const [asked, setAsked] = useState<{ list: LookupList | null } | null>(null);
  const { busy, faults, problem, clear, save } = useSave<{ id: number }>("lookupList/save");
  const isEdited = code !== (chosen?.code ?? "") || text !== textOf(chosen);
  const { close, question } = useCloseGuard(isEdited, onClose);
  const choose = (list: LookupList | null) => {
    setChosen(list);
    setCode(list?.code ?? "");
    setText(textOf(list));
    clear();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const input = { ...(chosen ? { id: chosen.id, rowVersion: chosen.rowVersion } : {}), code, values: readLines(text, chosen?.values) };
    if ((await save(input)).status >= 400) return;
    await client.invalidateQueries({ queryKey: key });
    onClose();
  };
  const remove = async () => {
    const answer = await callDoor("lookupList/delete", { ids: [chosen?.id] });
    if (answer.status >= 400) toast.problem(answer.msg ?? common("failed"));
    else choose(null);
    await client.invalidateQueries({ queryKey: key });
  };
  return (
    <Modal opened onClose={close} title={t("title")} size={640} closeButtonProps={{ "aria-label": common("close") }}>
      {lists.isError ? <ErrorPanel title={t("failed")} failed={lists.error} onRetry={() => lists.refetch()} /> : null}
      <form className={classes.form} onSubmit={submit} noValidate>
        <Field id={`${id}-list`} label={t("list")}>
          <NativeSelect
            id={`${id}-list`}
            value={String(chosen?.id ?? "")}
            disabled={!lists.data}
            data={[{ value: "", label: t("new") }, ...(lists.data ?? []).map((list) => ({ value: String(list.id), label: list.code }))]}
            onChange={(event) => {
              const list = lists.data?.find(({ id: listId }) => String(listId) === event.currentTarget.value) ?? null;
              if (isEdited) setAsked({ list });
              else choose(list);
            }}
          />
        </Field>
        <Field id={`${id}-code`} label={t("code")} required count={{ used: [...code].length, max: lookupCodeChars }} error={faults.code}>
          <TextInput
            id={`${id}-code`}
            value={code}
            disabled={!mayEdit}
            error={Boolean(faults.code)}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        </Field>
        <Field id={`${id}-values`} label={t("values")} help={t("valuesHelp")} error={faults.values}>
          <Textarea
            id={`${id}-values`}
            rows={10}
            value={text}
            disabled={!mayEdit}
            error={Boolean(faults.values)}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </Field>
        {chosen ? <p className={classes.quiet}>{t("usedBy", { names: chosen.usedBy.join(", ") || "-" })}</p> : null}
        {mayEdit ? (
          <>
            {chosen && chosen.usedBy.length === 0 ? (
              <div>
                <Button color="red" onClick={remove}>
                  {t("delete")}
                </Button>
              </div>
            ) : null}
            <DialogFoot problem={problem} verb={common("save")} busy={busy} onClose={close} />
          </>
        ) : null}
      </form>
      {question}
      <Confirm
        opened={asked !== null}
        verb={discard("verb")}
        danger
        onConfirm={() => asked && choose(asked.list)}
        onClose={() => setAsked(null)}
      >
        {discard("text")}
      </Confirm>
    </Modal>
  );
}
