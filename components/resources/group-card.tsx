"use client";
import { ActionIcon } from "@mantine/core";
import { IconCrown, IconPencil, IconTrash } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import type { DragEvent } from "react";
import { Tag } from "#components/ui/status-tag.tsx";
import type { Group } from "#lib/resources/groups/queries.ts";
import classes from "./resources.module.css";

type Props = { group: Group; onDrop: (event: DragEvent) => void; onEdit: () => void; onDelete: () => void };

/** A group with its people, leaders first; a person is dragged to another card. */
export function GroupCard({ group, onDrop, onEdit, onDelete }: Props) {
  const t = useTranslations("resources");
  const { name, scenario, contractor, creator, members, mayEdit } = group;
  const why = members.length > 0 ? t("groups.hasMembers", { count: members.length }) : t("groups.delete", { name });
  return (
    <article
      className={classes.card}
      aria-label={name}
      onDragOver={(event) => {
        if (mayEdit && event.dataTransfer.types.includes("text/x-group-member")) event.preventDefault();
      }}
      onDrop={onDrop}
    >
      <header className={classes.cardHead}>
        <h3>{name}</h3>
        <Tag>{t("groups.count", { count: members.length })}</Tag>
        {mayEdit ? (
          <span className={classes.cardVerbs}>
            <ActionIcon aria-label={t("groups.edit", { name })} title={t("groups.edit", { name })} onClick={onEdit}>
              <IconPencil size={16} stroke={1.4} />
            </ActionIcon>
            <ActionIcon
              aria-label={t("groups.delete", { name })}
              title={why}
              aria-disabled={members.length > 0 || undefined}
              data-disabled={members.length > 0 || undefined}
              onClick={members.length > 0 ? undefined : onDelete}
            >
              <IconTrash size={16} stroke={1.4} />
            </ActionIcon>
          </span>
        ) : null}
      </header>
      <p className={classes.hint}>{[scenario, contractor, t("groups.by", { name: creator })].filter(Boolean).join(" · ")}</p>
      <ul className={classes.members}>
        {members.map((member) => (
          <li
            key={member.resourceId}
            draggable={mayEdit}
            onDragStart={(event) => event.dataTransfer.setData("text/x-group-member", `${group.id} ${member.resourceId}`)}
          >
            {member.isLeader ? (
              <IconCrown size={14} stroke={1.5} role="img" aria-label={t("groups.leader")} />
            ) : (
              <span className={classes.gap} />
            )}
            <span className={classes.memberName} data-over={member.status !== "ACTIVE" || undefined}>
              {member.name}
            </span>
            <span className={classes.quiet}>{member.memberType ?? t(`type.${member.type}`)}</span>
          </li>
        ))}
      </ul>
      {members.length === 0 ? <p className={classes.hint}>{t("groups.none")}</p> : null}
    </article>
  );
}
