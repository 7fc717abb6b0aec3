"use client";
import { ActionIcon, TextInput } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay, IconTrash } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { Tag } from "#components/ui/status-tag.tsx";
import { formatNumber } from "#lib/core/format.ts";
import { regionNameChars } from "#lib/regions/limits.ts";
import { allowDrop, draggedIds, NetworkChip } from "./network-chip.tsx";
import { type Draft, isEdited } from "./region-drafts.ts";
import classes from "./regions.module.css";

type Props = {
  drafts: readonly Draft[];
  /** Names of the network regions. */
  names: ReadonlyMap<number, string>;
  chosen: ReadonlySet<number>;
  /** What is wrong with the name of a draft. */
  faults: Readonly<Record<string, string>>;
  readOnly: boolean;
  onToggle: (id: number) => void;
  onMove: (ids: readonly number[], key: string) => void;
  onRename: (key: string, name: string) => void;
  onStatus: (draft: Draft) => void;
  onDelete: (draft: Draft) => void;
};

/** The delivery regions with their network regions as chips; names are changed in place. */
export function RegionTable({ drafts, readOnly, ...rest }: Props) {
  const t = useTranslations("regions");
  return (
    <table className={classes.table} aria-label={t("label")}>
      <thead>
        <tr>
          <th scope="col">{t("name")}</th>
          <th scope="col">{t("networkRegions")}</th>
          <th scope="col" data-align="right">
            DU
          </th>
          <th scope="col" data-align="right">
            {t("share")}
          </th>
          <th scope="col">{t("status")}</th>
          {readOnly ? null : (
            <th scope="col">
              <span className="visually-hidden">{t("verbs")}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {drafts.map((draft) => (
          <RegionLine key={draft.key} draft={draft} readOnly={readOnly} {...rest} />
        ))}
      </tbody>
    </table>
  );
}

function RegionLine({
  draft,
  names,
  chosen,
  faults,
  readOnly,
  onToggle,
  onMove,
  onRename,
  onStatus,
  onDelete,
}: Omit<Props, "drafts"> & { draft: Draft }) {
  const t = useTranslations("regions");
  const { key, stored, name, networkRegionIds } = draft;
  const invalid = stored?.status === "INVALID";
  const uses = (stored?.uses ?? []).map(({ kind, count }) => `${t(`uses.${kind}`)} ${formatNumber(count)}`).join(", ");
  const usage = uses ? t("usedBy", { uses }) : undefined;
  return (
    <tr
      data-edited={isEdited(draft) || undefined}
      data-invalid={invalid || undefined}
      onDragOver={readOnly || invalid ? undefined : allowDrop}
      onDrop={(event) => onMove(draggedIds(event), key)}
    >
      <th scope="row">
        {readOnly ? (
          name
        ) : (
          <TextInput
            size="xs"
            aria-label={t("nameOf", { name: stored?.name ?? name })}
            maxLength={regionNameChars}
            value={name}
            error={faults[key]}
            onChange={(event) => onRename(key, event.currentTarget.value)}
          />
        )}
      </th>
      <td>
        <span className={classes.chips}>
          {networkRegionIds.map((id) => (
            <NetworkChip key={id} id={id} name={names.get(id) ?? String(id)} chosen={chosen} readOnly={readOnly} onToggle={onToggle} />
          ))}
          {networkRegionIds.length === 0 && !readOnly ? <span className={classes.hint}>{invalid ? "-" : t("dropHere")}</span> : null}
        </span>
      </td>
      <td data-align="right">{formatNumber(stored?.duCount ?? 0)}</td>
      <td data-align="right">{(stored?.percentage ?? 0).toFixed(2)}</td>
      <td>
        {stored === null ? <Tag tone="info">{t("new")}</Tag> : <Tag tone={invalid ? "neutral" : "ok"}>{t(`state.${stored.status}`)}</Tag>}
      </td>
      {readOnly ? null : (
        <td className={classes.verbs}>
          {stored ? (
            <ActionIcon
              aria-label={t(invalid ? "activate" : "invalidate", { name })}
              title={t(invalid ? "activate" : "invalidate", { name })}
              onClick={() => onStatus(draft)}
            >
              {invalid ? <IconPlayerPlay size={16} stroke={1.4} /> : <IconPlayerPause size={16} stroke={1.4} />}
            </ActionIcon>
          ) : null}
          <ActionIcon
            aria-label={t("delete", { name })}
            title={usage ?? t("delete", { name })}
            aria-disabled={usage !== undefined || undefined}
            data-disabled={usage !== undefined || undefined}
            onClick={usage === undefined ? () => onDelete(draft) : undefined}
          >
            <IconTrash size={16} stroke={1.4} />
          </ActionIcon>
        </td>
      )}
    </tr>
  );
}
