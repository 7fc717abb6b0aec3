"use client";
import { Modal, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { useAction } from "#components/ui/use-action.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { saveGroup } from "#lib/resources/groups/actions.ts";
import type { Group } from "#lib/resources/groups/queries.ts";
import type { Resource } from "#lib/resources/pool/queries.ts";
import classes from "./resources.module.css";

/** Puts people into a group the caller may change; the first of them leads one that is empty. */
export function GroupChoice({
  people,
  onClose,
  onDone,
}: {
  people: readonly Resource[];
  onClose: () => void;
  onDone: () => Promise<void>;
}) {
  const t = useTranslations("resources");
  const common = useTranslations("common");
  const id = useId();
  const [chosen, setChosen] = useState<string | null>(null);
  const [problem, setProblem] = useState<string>();
  const [save, saving] = useAction(saveGroup);
  const groups = useQuery({
    queryKey: ["resource groups"],
    queryFn: async ({ signal }) => dataOf(await callDoor<Group[]>("resGroup/list", {}, { signal })),
    staleTime: 0,
    meta: lookup,
  });
  const mine = (groups.data ?? []).filter(({ mayEdit }) => mayEdit);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const group = mine.find((one) => String(one.id) === chosen);
    if (!group) return;
    const held = new Set(group.members.map(({ resourceId }) => resourceId));
    const members = [
      ...group.members.map(({ resourceId, memberType, isLeader }) => ({ resourceId, memberType, isLeader })),
      ...people.filter((person) => !held.has(person.id)).map((person) => ({ resourceId: person.id, memberType: null, isLeader: false })),
    ];
    if (members[0] && !members.some(({ isLeader }) => isLeader)) members[0].isLeader = true;
    const { id: groupId, rowVersion, name, scenario, contractor } = group;
    const answer = await save({ id: groupId, rowVersion, name, scenario, contractor, members });
    if (answer.status >= 400) return setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code);
    await onDone();
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("toGroup.of", { count: people.length })}
      size={420}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <Field id={id} label={t("toGroup.group")} help={groups.isSuccess && mine.length === 0 ? t("toGroup.none") : t("toGroup.help")}>
          <Select
            id={id}
            aria-describedby={fieldNoteId(id)}
            searchable
            data={mine.map((group) => ({ value: String(group.id), label: group.name }))}
            value={chosen}
            onChange={(value) => {
              setChosen(value);
              setProblem(undefined);
            }}
          />
        </Field>
        <DialogFoot problem={problem} verb={t("toGroup.title")} busy={saving} disabled={chosen === null} onClose={onClose} />
      </form>
    </Modal>
  );
}
