"use client";
import { Button, TextInput } from "@mantine/core";
import { IconPlus, IconUsersGroup } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type DragEvent, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { deleteGroups, saveGroup } from "#lib/resources/groups/actions.ts";
import type { Group } from "#lib/resources/groups/queries.ts";
import { GroupCard } from "./group-card.tsx";
import classes from "./resources.module.css";

const GroupDialog = onDemand(() => import("./group-dialog.tsx").then((module) => module.GroupDialog));
const screens = ["resourcePool", "resourceGroups", "supplierGroups"] as const;

type Open = { dialog: "edit"; group: Group | null } | { dialog: "delete"; group: Group };

/** The groups of the project as cards; by supplier they stand below whom their people work for. [RES-03] [RES-04] [RES-11] */
export function GroupsPage({ first, bySupplier }: { first: Group[]; bySupplier: boolean }) {
  const t = useTranslations("resources");
  const { can } = useSession();
  const href = useHref();
  const project = useProjectNumber();
  const client = useQueryClient();
  const [text, setText] = useState("");
  const [open, setOpen] = useState<Open | null>(null);
  const [save] = useAction(saveGroup);
  const [remove] = useAction(deleteGroups);
  const groups = useQuery({
    queryKey: ["resource groups", project],
    queryFn: async ({ signal }) => dataOf(await callDoor<Group[]>("resGroup/list", {}, { signal })),
    initialData: first,
    staleTime: 30_000,
  });
  const refresh = () => client.invalidateQueries({ queryKey: ["resource groups", project] });
  const wanted = text.trim().toLowerCase();
  const shown = groups.data.filter(
    ({ name, members }) => name.toLowerCase().includes(wanted) || members.some((member) => member.name.toLowerCase().includes(wanted)),
  );
  const change = async (group: Group, members: Group["members"]) => {
    const { id, rowVersion, name, scenario, contractor } = group;
    const answer = await save({
      id,
      rowVersion,
      name,
      scenario,
      contractor,
      members: members.map(({ resourceId, memberType, isLeader }) => ({ resourceId, memberType, isLeader })),
    });
    const isDone = answer.status < 400;
    if (!isDone) toast.problem(answer.problems?.[0]?.msg ?? answer.msg ?? t("failed"));
    await refresh();
    return isDone;
  };
  // A person dragged from one card to another comes into that group too, and leaves the first where both may be changed.
  const drop = async (target: Group, event: DragEvent) => {
    const [from, resourceId] = event.dataTransfer.getData("text/x-group-member").split(" ").map(Number);
    const source = groups.data.find(({ id }) => id === from);
    const member = source?.members.find((one) => one.resourceId === resourceId);
    if (!source || !member || source.id === target.id || !target.mayEdit || target.members.some((one) => one.resourceId === resourceId))
      return;
    const isTaken = await change(target, [...target.members, { ...member, isLeader: target.members.length === 0 }]);
    if (isTaken && source.mayEdit && !(member.isLeader && source.members.length > 1))
      await change(
        source,
        source.members.filter((one) => one.resourceId !== resourceId),
      );
  };
  const card = (group: Group) => (
    <GroupCard
      key={group.id}
      group={group}
      onDrop={(event) => void drop(group, event)}
      onEdit={() => setOpen({ dialog: "edit", group })}
      onDelete={() => setOpen({ dialog: "delete", group })}
    />
  );
  return (
    <div className={classes.page}>
      <PageBar
        tab={bySupplier ? "supplierGroups" : "resourceGroups"}
        tabs={screens.map((key) => ({ key, label: t(`screen.${key}`), href: href(key) }))}
      >
        <TextInput
          size="xs"
          aria-label={t("groups.search")}
          placeholder={t("groups.search")}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {can("resource.edit") ? (
          <Button
            variant="filled"
            leftSection={<IconPlus size={16} stroke={1.4} />}
            onClick={() => setOpen({ dialog: "edit", group: null })}
          >
            {t("groups.new")}
          </Button>
        ) : null}
      </PageBar>
      <ScrollRegion className={classes.cards} label={t("groups.label")}>
        {shown.length === 0 ? (
          <EmptyState
            title={groups.data.length === 0 ? t("groups.empty") : t("groups.noHit")}
            text={groups.data.length === 0 ? t("groups.emptyText") : undefined}
            icon={<IconUsersGroup size={28} stroke={1} aria-hidden="true" />}
          />
        ) : bySupplier ? (
          suppliersOf(shown, t("groups.own")).map(([name, list]) => (
            <section key={name} className={classes.supplier} aria-label={name}>
              <h2 className={classes.head}>{name}</h2>
              <div className={classes.grid}>{list.map(card)}</div>
            </section>
          ))
        ) : (
          <div className={classes.grid}>{shown.map(card)}</div>
        )}
      </ScrollRegion>
      {open?.dialog === "edit" ? <GroupDialog group={open.group} onClose={() => setOpen(null)} onSaved={refresh} /> : null}
      {open?.dialog === "delete" ? (
        <Confirm
          opened
          danger
          verb={t("groups.delete", { name: open.group.name })}
          onClose={() => setOpen(null)}
          onConfirm={async () => {
            const answer = await remove({ ids: [open.group.id] });
            if (answer.status >= 400) toast.problem(answer.msg ?? t("failed"));
            await refresh();
          }}
        >
          {t("groups.deleteText")}
        </Confirm>
      ) : null}
    </div>
  );
}

/** Groups below the suppliers of their people: the contractor of the group, else the companies of its members. */
function suppliersOf(groups: readonly Group[], own: string): [string, Group[]][] {
  const found = new Map<string, Group[]>();
  for (const group of groups) {
    const names = group.contractor
      ? [group.contractor]
      : group.members.map(({ subcontractor, contractor }) => subcontractor ?? contractor ?? own);
    for (const name of new Set(names.length > 0 ? names : [own])) found.set(name, [...(found.get(name) ?? []), group]);
  }
  return [...found].sort(([a], [b]) => a.localeCompare(b));
}
