"use client";
import { ActionIcon, Checkbox, Modal, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor, listAddress } from "#lib/core/call-door.ts";
import type { Page } from "#lib/core/paging.ts";
import { saveGroup } from "#lib/resources/groups/actions.ts";
import { addedMax, contractorChars, groupNameChars, memberTypeChars, scenarioChars } from "#lib/resources/groups/limits.ts";
import type { Group } from "#lib/resources/groups/queries.ts";
import { poolTabs } from "#lib/resources/pool/limits.ts";
import type { Resource } from "#lib/resources/pool/queries.ts";
import { poolAddress } from "./pool-data.ts";
import classes from "./resources.module.css";

const typingMs = 300;
const shown = 20;
const tabs = poolTabs.slice(0, 3);

type Member = { resourceId: number; name: string; memberType: string; isLeader: boolean };

/** A group as a form: its name, what it is for, who is in it and who leads it. [RES-11] [RES-22] */
export function GroupDialog({ group, onClose, onSaved }: { group: Group | null; onClose: () => void; onSaved: () => Promise<void> }) {
  const t = useTranslations("resources");
  const common = useTranslations("common");
  const id = useId();
  const project = useProjectNumber();
  const [name, setName] = useState(group?.name ?? "");
  const [scenario, setScenario] = useState(group?.scenario ?? "");
  const [contractor, setContractor] = useState(group?.contractor ?? "");
  const [members, setMembers] = useState<Member[]>(() =>
    (group?.members ?? []).map(({ resourceId, name: person, memberType, isLeader }) => ({
      resourceId,
      name: person,
      memberType: memberType ?? "",
      isLeader,
    })),
  );
  const [problem, setProblem] = useState<string>();
  const [fault, setFault] = useState<string>();
  const [text, setText] = useState("");
  const [typed] = useDebouncedValue(text.trim(), typingMs);
  const [save, saving] = useAction(saveGroup);
  const { close, question } = useCloseGuard(useEdited([name, scenario, contractor, members]), onClose);
  const found = useQuery({
    queryKey: ["resource search", project, typed],
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        tabs.map((tab) =>
          callDoor<Page<Resource>>(
            listAddress(poolAddress, 1, shown, [
              { field: "tab", type: "eq", values: [tab] },
              { field: "search", type: "like", values: [typed] },
              { field: "status", type: "in", values: ["ACTIVE"] },
            ]),
            {},
            { signal },
          ),
        ),
      );
      return pages.flatMap((page) => dataOf(page).records);
    },
    meta: lookup,
  });
  const change = (next: Member[]) => {
    setMembers(next);
    setProblem(undefined);
  };
  const add = (value: string | null) => {
    const person = found.data?.find((one) => String(one.id) === value);
    setText("");
    if (person && !members.some(({ resourceId }) => resourceId === person.id))
      change([...members, { resourceId: person.id, name: person.name, memberType: "", isLeader: members.length === 0 }]);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await save({
      ...(group && { id: group.id, rowVersion: group.rowVersion }),
      name,
      scenario,
      contractor,
      members: members.map(({ resourceId, memberType, isLeader }) => ({ resourceId, memberType, isLeader })),
    });
    if (answer.data) {
      await onSaved();
      return onClose();
    }
    const named = answer.problems?.find(({ path }) => path === "name");
    setFault(answer.code === "GROUP_NAME_EXISTS" ? answer.msg : named?.msg);
    if (answer.code !== "GROUP_NAME_EXISTS" && !named) setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code);
  };
  return (
    <Modal
      opened
      onClose={close}
      title={group ? t("groups.edit", { name: group.name }) : t("groups.new")}
      size={560}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <Field id={`${id}-name`} label={common("name")} required error={fault} count={{ used: [...name].length, max: groupNameChars }}>
          <TextInput
            id={`${id}-name`}
            aria-describedby={fieldNoteId(`${id}-name`)}
            data-autofocus
            error={fault !== undefined}
            maxLength={groupNameChars}
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setFault(undefined);
            }}
          />
        </Field>
        <div className={classes.pair}>
          <Field id={`${id}-scenario`} label={t("groups.scenario")}>
            <TextInput
              id={`${id}-scenario`}
              maxLength={scenarioChars}
              value={scenario}
              onChange={(event) => setScenario(event.currentTarget.value)}
            />
          </Field>
          <Field id={`${id}-contractor`} label={t("field.contractor")}>
            <TextInput
              id={`${id}-contractor`}
              maxLength={contractorChars}
              value={contractor}
              onChange={(event) => setContractor(event.currentTarget.value)}
            />
          </Field>
        </div>
        <Field id={`${id}-add`} label={t("groups.addMember")} help={t("groups.addHelp", { max: addedMax })}>
          <Select
            id={`${id}-add`}
            aria-describedby={fieldNoteId(`${id}-add`)}
            searchable
            searchValue={text}
            onSearchChange={setText}
            filter={({ options }) => options}
            nothingFoundMessage={found.isSuccess ? t("groups.noHit") : undefined}
            data={(found.data ?? []).map((person) => ({ value: String(person.id), label: `${person.name} (${person.account})` }))}
            value={null}
            onChange={add}
          />
        </Field>
        <ul className={classes.formMembers}>
          {members.map((member, at) => (
            <li key={member.resourceId}>
              <span className={classes.memberName}>{member.name}</span>
              <TextInput
                size="xs"
                w={140}
                aria-label={t("groups.memberTypeOf", { name: member.name })}
                placeholder={t("groups.memberType")}
                maxLength={memberTypeChars}
                value={member.memberType}
                onChange={(event) => {
                  const { value } = event.currentTarget;
                  change(members.map((one, index) => (index === at ? { ...one, memberType: value } : one)));
                }}
              />
              <Checkbox
                size="xs"
                label={t("groups.leader")}
                checked={member.isLeader}
                onChange={(event) => {
                  const isLeader = event.currentTarget.checked;
                  change(members.map((one, index) => (index === at ? { ...one, isLeader } : one)));
                }}
              />
              <ActionIcon
                aria-label={t("groups.takeOut", { name: member.name })}
                onClick={() => change(members.filter(({ resourceId }) => resourceId !== member.resourceId))}
              >
                <IconX size={14} stroke={1.7} />
              </ActionIcon>
            </li>
          ))}
        </ul>
        <DialogFoot problem={problem} verb={common("save")} busy={saving} onClose={close} />
      </form>
      {question}
    </Modal>
  );
}
