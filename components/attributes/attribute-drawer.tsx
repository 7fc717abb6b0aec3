"use client";
import { Checkbox, Drawer, MultiSelect, NativeSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard } from "#components/ui/close-guard.tsx";
import { Confirm } from "#components/ui/confirm.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf, refreshList } from "#components/ui/use-list.ts";
import { attributeFlags, attributeLevels, classificationChars, nameChars, remarkChars, sortMax, sortMin } from "#lib/attributes/limits.ts";
import { isNarrowed, limitKeys, nameFault } from "#lib/attributes/logic.ts";
import type { AttributeChoices, AttributeRow } from "#lib/attributes/queries.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { attributeTypes } from "#lib/rollout-plan/columns/limits.ts";
import { type AttributeDraft, draftOf, inputOf } from "./attribute-draft.ts";
import classes from "./attributes.module.css";
import { ChoiceEditor } from "./choice-editor.tsx";
import { ControlPreview } from "./control-preview.tsx";
import { useSave } from "./use-save.ts";

type Props = {
  /** The attribute to change, or null for a new one. */
  attribute: AttributeRow | null;
  choices: AttributeChoices;
  /** The new one is a field somebody appends. */
  custom?: boolean;
  /** What the new one begins with. */
  begin?: AttributeDraft;
  onClose: () => void;
};

/** An attribute: what it is, which values it takes, where it is shown, who may write it. Asks before unsaved work is closed. */
export function AttributeDrawer({ attribute, choices, custom = false, begin, onClose }: Props) {
  const t = useTranslations("attributes");
  const common = useTranslations("common");
  const id = useId();
  const client = useQueryClient();
  const project = useProjectNumber();
  const [first] = useState(() => draftOf(attribute));
  const [draft, setDraft] = useState(begin ?? first);
  const [asked, setAsked] = useState<"wide" | "person" | { clear: string } | null>(null);
  const { busy, faults, problem, clear, save } = useSave<{ id: number }>("planAttr/save");
  const { close, question } = useCloseGuard(JSON.stringify(draft) !== JSON.stringify(first), onClose);
  const used = useQuery({
    queryKey: ["choice use", project, attribute?.id],
    enabled: attribute?.type === "ENUM",
    queryFn: async ({ signal }) =>
      dataOf(
        await callDoor<{ records: { id: number; usedCount?: number }[] }>(
          "planAttrEnum/enumList/page",
          { attributeId: attribute?.id, size: 200 },
          { signal },
        ),
      ).records,
    meta: lookup,
  });
  const counts = used.data?.map(({ id: choiceId, usedCount = 0 }) => [choiceId, usedCount] as const);
  const change = (given: Partial<typeof draft>) => {
    setDraft((before) => ({ ...before, ...given }));
    clear();
  };
  const taken = useQuery({
    queryKey: ["name", project, "ATTRIBUTE", draft.name, attribute?.id],
    enabled: draft.name.trim() !== "" && draft.name !== first.name && nameFault(draft.name) === null,
    queryFn: async ({ signal }) =>
      dataOf(
        await callDoor<{ unique: boolean }>(
          "planConfig/checkNameUnique",
          { kind: "ATTRIBUTE", name: draft.name, ...(attribute ? { id: attribute.id } : {}) },
          { signal },
        ),
      ).unique,
  });
  const send = async (clearValues: boolean) => {
    const answer = await save(inputOf(draft, attribute, custom, clearValues));
    if (answer.code === "CLEARS_VALUES") {
      clear();
      setAsked({ clear: answer.msg ?? "" });
    } else if (answer.status < 400) {
      await refreshList(client, "planAttr/list");
      onClose();
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wide =
      attribute &&
      ((draft.required && !attribute.required) ||
        isNarrowed({ ...attribute, flowIds: attribute.flows.map((flow) => flow.id) }, { ...draft, flowIds: draft.flowIds.map(Number) }));
    if (wide) setAsked("wide");
    else void send(false);
  };
  const nameProblem = faults.name ?? (taken.data === false ? t("drawer.nameTaken") : undefined);
  const keys: readonly string[] = limitKeys[draft.type];
  const named = choices.people.map((person) => ({ value: String(person.id), label: `${person.name} (${person.account})` }));
  const list = choices.lists.find((one) => String(one.id) === draft.lookupListId);
  const parents = choices.parents.filter((one) => one.listId === list?.id && one.id !== attribute?.id);
  const select = (
    key: "type" | "level" | "duTabId" | "lookupListId" | "lookupParentId",
    data: { value: string; label: string }[],
    disabled = false,
  ) => (
    <Field id={`${id}-${key}`} label={t(`field.${key}`)} error={faults[key]} required={key === "type"}>
      <NativeSelect
        id={`${id}-${key}`}
        value={String(draft[key])}
        data={data}
        disabled={disabled}
        error={Boolean(faults[key])}
        onChange={(event) => {
          const value = event.currentTarget.value;
          // The plan does not show what belongs to rows of a tab, and a tab does not hold what belongs to activities.
          const level = key !== "level" ? {} : value === "TAB" ? { inRolloutPlan: false } : value === "ACTIVITY" ? { duTabId: "" } : {};
          change({ [key]: value, ...level });
        }}
      />
    </Field>
  );
  const none = { value: "", label: common("none") };
  const line = (key: "standardName" | "classification" | "defaultValue" | "projectDefaultValue", max?: number) => (
    <Field
      id={`${id}-${key}`}
      label={t(`field.${key}`)}
      error={faults[key]}
      {...(max ? { count: { used: [...draft[key]].length, max } } : {})}
    >
      <TextInput
        id={`${id}-${key}`}
        value={draft[key]}
        error={Boolean(faults[key])}
        aria-describedby={fieldNoteId(`${id}-${key}`)}
        list={key === "classification" ? `${id}-known` : undefined}
        onChange={(event) => change({ [key]: event.currentTarget.value })}
      />
    </Field>
  );
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={640}
      title={attribute ? t("drawer.edit") : t("drawer.new")}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <Field
          id={`${id}-name`}
          label={t("field.name")}
          required
          count={{ used: [...draft.name.trim()].length, max: nameChars }}
          error={nameProblem}
        >
          <TextInput
            id={`${id}-name`}
            data-autofocus
            required
            value={draft.name}
            error={Boolean(nameProblem)}
            aria-describedby={fieldNoteId(`${id}-name`)}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
        </Field>
        <div className={classes.pair}>
          {select(
            "type",
            attributeTypes.map((value) => ({ value, label: t(`type.${value}`) })),
          )}
          {select(
            "level",
            attributeLevels.map((value) => ({ value, label: t(`level.${value}`) })),
            attribute !== null,
          )}
          {line("standardName", nameChars)}
          {line("classification", classificationChars)}
          <datalist id={`${id}-known`}>
            {choices.classifications.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          {draft.level === "ACTIVITY"
            ? null
            : select("duTabId", [none, ...choices.tabs.map((tab) => ({ value: String(tab.id), label: tab.name }))])}
          {draft.type === "LOOKUP_ENUM"
            ? select("lookupListId", [none, ...choices.lists.map((one) => ({ value: String(one.id), label: one.name }))])
            : null}
          {draft.type === "LOOKUP_ENUM" && list?.levels === 2
            ? select("lookupParentId", [none, ...parents.map((one) => ({ value: String(one.id), label: one.name }))])
            : null}
        </div>
        {draft.type === "ENUM" ? (
          <ChoiceEditor
            choices={draft.enums}
            used={attribute?.type === "ENUM" && !counts ? null : new Map(counts)}
            fault={faults.enums}
            onChange={(enums) => change({ enums })}
          />
        ) : null}
        {draft.type === "ENUM" && draft.enums.some((choice) => choice.id !== undefined) ? (
          <MultiSelect
            label={t("limit.allowed")}
            description={t("limit.allowedHelp")}
            searchable
            data={draft.enums.flatMap(({ id: choiceId, value }) =>
              choiceId === undefined ? [] : [{ value: String(choiceId), label: value || t("choices.unnamed") }],
            )}
            value={draft.allowed.filter((one) => draft.enums.some((choice) => String(choice.id) === one))}
            error={faults["valueLimit.allowed"] ?? faults.valueLimit}
            onChange={(allowed) => change({ allowed })}
          />
        ) : null}
        {keys.filter((key) => key !== "allowed").length > 0 ? (
          <div className={classes.pair}>
            {keys
              .filter((key) => key !== "allowed")
              .map((key) => {
                const fault = faults[`valueLimit.${key}`] ?? (key === keys[0] ? faults.valueLimit : undefined);
                return (
                  <Field key={key} id={`${id}-limit-${key}`} label={t(`limit.${key}`)} error={fault}>
                    <TextInput
                      id={`${id}-limit-${key}`}
                      value={draft.limit[key] ?? ""}
                      placeholder={t.has(`limitExample.${draft.type}`) ? t(`limitExample.${draft.type}`) : undefined}
                      error={Boolean(fault)}
                      onChange={(event) => change({ limit: { ...draft.limit, [key]: event.currentTarget.value } })}
                    />
                  </Field>
                );
              })}
          </div>
        ) : null}
        <ControlPreview key={draft.type} draft={draft} />
        <fieldset className={classes.flags}>
          <legend>{t("drawer.flags")}</legend>
          {attributeFlags.map((flag) => (
            <Checkbox
              key={flag}
              label={t(`flag.${flag}`)}
              error={faults[flag]}
              checked={draft[flag]}
              disabled={(flag === "inRolloutPlan" && draft.level === "TAB") || (flag === "visibleSubcon" && draft.editableSubcon)}
              onChange={(event) =>
                change({
                  [flag]: event.currentTarget.checked,
                  ...(flag === "editableSubcon" && event.currentTarget.checked ? { visibleSubcon: true } : {}),
                })
              }
            />
          ))}
        </fieldset>
        <div className={classes.pair}>
          {line("defaultValue")}
          {line("projectDefaultValue")}
          <Field id={`${id}-sortNo`} label={t("field.sortNo")} range={{ min: sortMin, max: sortMax }} error={faults.sortNo}>
            <NumberInput
              id={`${id}-sortNo`}
              value={draft.sortNo}
              hideControls
              error={Boolean(faults.sortNo)}
              onChange={(value) => change({ sortNo: value === "" ? "" : Number(value) })}
            />
          </Field>
        </div>
        <MultiSelect
          label={t("field.flows")}
          description={t("field.flowsHelp")}
          searchable
          data={choices.flows.map((flow) => ({ value: String(flow.id), label: flow.name }))}
          value={draft.flowIds}
          error={faults.flowIds}
          onChange={(flowIds) => change({ flowIds })}
        />
        <div className={classes.pair}>
          <MultiSelect
            label={t("field.readers")}
            searchable
            data={named}
            value={draft.readers}
            error={faults.users}
            onChange={(readers) => change({ readers, writers: draft.writers.filter((one) => !readers.includes(one)) })}
          />
          <MultiSelect
            label={t("field.writers")}
            searchable
            data={named}
            value={draft.writers}
            onChange={(writers) => change({ writers, readers: draft.readers.filter((one) => !writers.includes(one)) })}
          />
        </div>
        <Checkbox
          label={t("field.personControl")}
          checked={draft.editablePersonControl}
          onChange={(event) => (event.currentTarget.checked ? setAsked("person") : change({ editablePersonControl: false }))}
        />
        {draft.editablePersonControl ? (
          <MultiSelect
            label={t("field.persons")}
            searchable
            data={named}
            value={draft.persons}
            error={faults.editablePersonIds}
            onChange={(persons) => change({ persons })}
          />
        ) : null}
        <Field
          id={`${id}-remark`}
          label={t("field.remark")}
          count={{ used: [...draft.remark].length, max: remarkChars }}
          error={faults.remark}
        >
          <Textarea
            id={`${id}-remark`}
            autosize
            minRows={2}
            value={draft.remark}
            error={Boolean(faults.remark)}
            onChange={(event) => change({ remark: event.currentTarget.value })}
          />
        </Field>
        <DialogFoot problem={problem} verb={common("save")} busy={busy} onClose={close} />
      </form>
      {question}
      <Confirm
        opened={asked === "wide"}
        verb={common("save")}
        title={t("drawer.wide")}
        onConfirm={() => send(false)}
        onClose={() => setAsked(null)}
      >
        {t("drawer.wideText")}
      </Confirm>
      <Confirm
        opened={asked === "person"}
        verb={t("extended.switchOn")}
        onConfirm={() => change({ editablePersonControl: true })}
        onClose={() => setAsked(null)}
      >
        {t("extended.switchOnText")}
      </Confirm>
      <Confirm
        opened={asked !== null && typeof asked === "object"}
        danger
        verb={t("drawer.clear")}
        onConfirm={() => send(true)}
        onClose={() => setAsked(null)}
      >
        {asked !== null && typeof asked === "object" ? asked.clear : null}
      </Confirm>
    </Drawer>
  );
}
