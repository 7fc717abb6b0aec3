"use client";
import { Button, Modal, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field } from "#components/ui/field.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import type { GrantRow } from "#lib/attributes/permissions/queries.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { roleName } from "#lib/core/format.ts";
import classes from "./attributes.module.css";
import { type Person, personChoices, roleChoices } from "./subject-choices.ts";
import { useSave } from "./use-save.ts";

type Grant = Pick<GrantRow, "role" | "userId">;

const told = ({ role, userId }: Grant) => (role ? { subjectType: "ROLE", role } : { subjectType: "ACCOUNT", userId });

/** Who may add attributes; without anybody named, everybody who may edit them. [ATT-27] */
export function GrantsDialog({ people, onClose }: { people: readonly Person[]; onClose: () => void }) {
  const t = useTranslations("attributes.permissions");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const found = useQuery({
    queryKey: ["attribute grants", project],
    gcTime: 0,
    queryFn: async ({ signal }) => dataOf(await callDoor<{ grants: GrantRow[] }>("attrPermission/addGrant/find", {}, { signal })).grants,
  });
  const [draft, setDraft] = useState<{ grants: readonly Grant[]; base: readonly Grant[] } | null>(null);
  const grants: readonly Grant[] = draft?.grants ?? found.data ?? [];
  const edit = (next: readonly Grant[]) => setDraft({ grants: next, base: draft?.base ?? found.data ?? [] });
  const { close, question } = useCloseGuard(draft !== null, onClose);
  const { busy, problem, save } = useSave("attrPermission/addGrant/save");
  const id = useId();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!found.data) return;
    const base = draft?.base ?? found.data;
    if ((await save({ grants: grants.map(told), base: base.map(told) })).status < 400) onClose();
  };
  const nameOf = ({ role, userId }: Grant) =>
    role ? roleName(role) : (people.find((person) => person.id === userId)?.name ?? String(userId));
  return (
    <Modal opened onClose={close} title={t("grants.verb")} size={520} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        {found.isError && !found.data ? <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => found.refetch()} /> : null}
        {found.data ? <p className={classes.quiet}>{t(grants.length > 0 ? "grants.some" : "grants.none")}</p> : null}
        <ul className={classes.choiceList} aria-busy={found.isPending}>
          {grants.map((grant) => (
            <li key={`${grant.role} ${grant.userId}`} className={classes.choice}>
              <span>{nameOf(grant)}</span>
              <Button
                size="xs"
                aria-label={t("grants.remove", { name: nameOf(grant) })}
                onClick={() => edit(grants.filter((one) => one !== grant))}
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
            disabled={!found.data}
            data={roleChoices.filter(({ value }) => !grants.some(({ role }) => role === value))}
            value={null}
            onChange={(role) => role && edit([...grants, { role, userId: null }])}
          />
        </Field>
        <Field id={`${id}-person`} label={t("subject.ACCOUNT")}>
          <Select
            id={`${id}-person`}
            searchable
            disabled={!found.data}
            data={personChoices(people).filter(({ value }) => !grants.some(({ userId }) => String(userId) === value))}
            value={null}
            onChange={(value) => value && edit([...grants, { role: null, userId: Number(value) }])}
          />
        </Field>
        <DialogFoot problem={problem} verb={common("save")} busy={busy} disabled={!found.data} onClose={close} />
      </form>
      {question}
    </Modal>
  );
}
