"use client";
import { Modal, MultiSelect, NativeSelect, Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { toast } from "#components/ui/toast.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf, useList } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { type ObjectType, objectTypes, planOwnersMax, remarkChars, templateLimits } from "#lib/templates/limits.ts";
import classes from "./template-dialog.module.css";

type Person = { id: number; name: string; account: string };
type Props = { onClose: () => void; onSaved: () => unknown };

/** Makes a plan template: a flow and the people who own what nobody owns yet. It is the project's. */
export function PlanForm({ onClose, onSaved }: Props) {
  const t = useTranslations("templates");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const id = useId();
  const [name, setName] = useState("");
  const [remark, setRemark] = useState("");
  const [objectType, setObjectType] = useState<ObjectType>("site");
  const [flowId, setFlowId] = useState<string | null>(null);
  const [owners, setOwners] = useState<string[]>([]);
  const [known, setKnown] = useState<ReadonlyMap<string, string>>(new Map());
  const [search, setSearch] = useState("");
  const [fault, setFault] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { close, question } = useCloseGuard(useEdited([name, remark, objectType, flowId, owners]), onClose);
  const flows = useList<{ id: number; name: string; status: string }>({ address: "flow/list", page: 1, size: 200, meta: lookup });
  const people = useQuery({
    queryKey: ["plan template owners", project, search],
    queryFn: async ({ signal }) => dataOf(await callDoor<Person[]>("workOrder/assignees", { search }, { signal })),
    placeholderData: (before) => before,
    retry: false,
    meta: lookup,
  });
  const options = new Map(known);
  for (const person of people.data ?? []) options.set(String(person.id), `${person.name} (${person.account})`);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const body = { flowId: Number(flowId), owners: owners.map(Number) };
    const answer = await callDoor("template/basic/save", {
      kind: "plan",
      objectType,
      name,
      isPublic: true,
      ...(remark && { remark }),
      body,
    });
    setBusy(false);
    if (answer.status >= 400) {
      const own = answer.problems?.find(({ path }) => path === "name");
      return own ? setFault(own.msg) : setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? t("failed"));
    }
    toast.done(t("form.saved"));
    await onSaved();
    onClose();
  };
  return (
    <Modal opened onClose={close} title={t("plan.title")} size={560} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.dialog} onSubmit={submit} noValidate>
        <p className={classes.quiet}>{t("plan.help")}</p>
        <Field
          id={`${id}-name`}
          label={t("list.name")}
          required
          count={{ used: [...name].length, max: templateLimits.plan.nameChars }}
          error={fault}
        >
          <TextInput
            id={`${id}-name`}
            data-autofocus
            required
            maxLength={templateLimits.plan.nameChars}
            value={name}
            error={Boolean(fault)}
            aria-describedby={fieldNoteId(`${id}-name`)}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setFault(undefined);
            }}
          />
        </Field>
        <Field id={`${id}-object`} label={t("form.objectType")}>
          <NativeSelect
            id={`${id}-object`}
            value={objectType}
            data={objectTypes.map((value) => ({ value, label: t(`objectType.${value}`) }))}
            onChange={(event) => setObjectType(event.currentTarget.value as ObjectType)}
          />
        </Field>
        <Field id={`${id}-flow`} label={common("flow")} required>
          <Select
            id={`${id}-flow`}
            searchable
            data={(flows.data?.records ?? [])
              .filter(({ status }) => status === "released")
              .map((flow) => ({ value: String(flow.id), label: flow.name }))}
            value={flowId}
            onChange={setFlowId}
          />
        </Field>
        <Field id={`${id}-owners`} label={t("plan.owners")} help={t("plan.ownersHelp")}>
          <MultiSelect
            id={`${id}-owners`}
            searchable
            hidePickedOptions
            maxValues={planOwnersMax}
            data={[...options].map(([value, label]) => ({ value, label }))}
            value={owners}
            aria-describedby={fieldNoteId(`${id}-owners`)}
            onSearchChange={(word) => setSearch(word.slice(0, 60))}
            onChange={(values) => {
              setOwners(values);
              setKnown(new Map([...options].filter(([value]) => values.includes(value))));
            }}
          />
        </Field>
        <Field id={`${id}-remark`} label={common("remark")} count={{ used: remark.length, max: remarkChars }}>
          <TextInput
            id={`${id}-remark`}
            maxLength={remarkChars}
            value={remark}
            onChange={(event) => setRemark(event.currentTarget.value)}
          />
        </Field>
        <DialogFoot problem={problem} verb={t("form.save")} busy={busy} disabled={flowId === null} onClose={close} />
      </form>
      {question}
    </Modal>
  );
}
