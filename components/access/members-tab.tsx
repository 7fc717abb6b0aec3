"use client";
import { Button, MultiSelect, Tooltip } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { useExport } from "#components/ui/use-export.ts";
import { refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { membersPerCall } from "#lib/access/limits.ts";
import type { Member } from "#lib/access/members/queries.ts";
import { projectToday } from "#lib/core/clock.ts";
import type { Filter } from "#lib/core/paging.ts";
import { roles } from "#lib/permissions.ts";
import classes from "./access.module.css";
import { GrantDialog } from "./grant-dialog.tsx";
import { MemberDialog } from "./member-dialog.tsx";
import type { Person } from "./person-field.tsx";
import { RevokeDialog } from "./revoke-dialog.tsx";
import { RoleSearch } from "./role-search.tsx";
import { Expiry, RoleTag } from "./validity.tsx";

const address = "memberRole/list";
const states = ["valid", "ending", "ended", "future"] as const;
const typingMs = 300;
/** Members chosen in the list, and how to give the selection up. */
type Chosen = { members: Member[]; clear: () => void };

const personOf = (member: Member): Person => ({ id: member.userId, account: member.account, name: member.name });

/** The members with their roles; for those who may assign roles, granting and revoking for many at once. */
export function MembersTab({ granting, onGranted }: { granting: boolean; onGranted: () => void }) {
  const t = useTranslations("access.members");
  const access = useTranslations("access");
  const { can, offset } = useSession();
  const client = useQueryClient();
  const today = projectToday(new Date(), offset);
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text.trim(), typingMs);
  const [ofRoles, setRoles] = useState<string[]>([]);
  const [ofStates, setStates] = useState<string[]>([]);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [revoking, setRevoking] = useState<Chosen | null>(null);
  const [shown, setShown] = useState<Member | null>(null);
  const [startExport, exporting] = useExport("memberRole/export");
  const mayAssign = can("role.assign");
  const filters = useMemo<Filter[]>(
    () => [
      ...(search ? [{ field: "search", type: "like" as const, values: [search] }] : []),
      ...(ofRoles.length > 0 ? [{ field: "role", type: "in" as const, values: ofRoles }] : []),
      ...(ofStates.length > 0 ? [{ field: "state", type: "in" as const, values: ofStates }] : []),
    ],
    [search, ofRoles, ofStates],
  );
  const refresh = () => refreshList(client, address);
  // The selected rows are as they were read: after a change they are chosen anew.
  const end = (done: Chosen | null) => {
    done?.clear();
    return refresh();
  };

  const columns: Column<Member>[] = [
    {
      key: "name",
      label: t("name"),
      width: 220,
      sortable: true,
      render: (member) => (
        <span className={classes.person}>
          {member.name}
          {member.active ? null : <span className={classes.quiet}>{t("off")}</span>}
        </span>
      ),
    },
    { key: "account", label: t("account"), width: 130, sortable: true },
    { key: "kind", label: t("kind"), width: 100, render: (member) => access(`kinds.${member.kind}`) },
    { key: "email", label: t("email"), width: 220 },
    {
      key: "roles",
      label: t("roles"),
      wrap: true,
      render: (member) => (
        <span className={classes.roles}>
          {member.roles.map((held) => (
            <RoleTag key={held.id} role={held.role} period={held} today={today} />
          ))}
        </span>
      ),
    },
    {
      key: "expiresOn",
      label: t("expires"),
      width: 190,
      sortable: true,
      render: (member) => <Expiry day={member.expiresOn} today={today} />,
    },
  ];
  return (
    <>
      <DataTable<Member>
        label={t("label")}
        address={address}
        columns={columns}
        filters={filters}
        sort={{ field: "account", dir: "asc" }}
        rowKey={(member) => member.userId}
        onOpen={setShown}
        bar={
          <search className={classes.bar}>
            <RoleSearch
              text={text}
              textLabel={t("search")}
              onText={setText}
              roles={roles}
              rolesLabel={t("role")}
              chosen={ofRoles}
              onChosen={setRoles}
            />
            <MultiSelect
              size="xs"
              w={180}
              aria-label={t("state")}
              placeholder={ofStates.length === 0 ? t("state") : undefined}
              clearable
              data={states.map((state) => ({ value: state, label: access(`states.${state}`) }))}
              value={ofStates}
              onChange={setStates}
            />
            <Button variant="subtle" color="gray" loading={exporting} onClick={() => void startExport({ filters })}>
              {t("export")}
            </Button>
          </search>
        }
        {...(mayAssign
          ? {
              batch: (members: Member[], clear: () => void) => (
                <BatchVerbs
                  count={members.length}
                  onGrant={() => setChosen({ members, clear })}
                  onRevoke={() => setRevoking({ members, clear })}
                />
              ),
            }
          : {})}
      />
      <GrantDialog
        people={granting ? [] : chosen?.members.map(personOf)}
        onClose={() => {
          setChosen(null);
          onGranted();
        }}
        onDone={() => end(chosen)}
      />
      <RevokeDialog members={revoking?.members ?? null} onClose={() => setRevoking(null)} onDone={() => end(revoking)} />
      <MemberDialog
        member={shown}
        onClose={() => setShown(null)}
        onChange={refresh}
        {...(mayAssign ? { onGrant: (member: Member) => setChosen({ members: [member], clear: () => {} }) } : {})}
      />
    </>
  );
}

function BatchVerbs({ count, onGrant, onRevoke }: { count: number; onGrant: () => void; onRevoke: () => void }) {
  const t = useTranslations("access.members");
  const many = count > membersPerCall;
  const why = many ? t("tooMany", { max: membersPerCall }) : "";
  return (
    <>
      <Tooltip label={why} disabled={!many}>
        <Button data-disabled={many || undefined} aria-disabled={many || undefined} onClick={many ? undefined : onGrant}>
          {t("grant")}
        </Button>
      </Tooltip>
      <Tooltip label={why} disabled={!many}>
        <Button data-disabled={many || undefined} aria-disabled={many || undefined} onClick={many ? undefined : onRevoke}>
          {t("revoke")}
        </Button>
      </Tooltip>
    </>
  );
}
