"use client";
import { ActionIcon, Button, Select, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Tag } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { deleteNetworkRegions, saveNetworkRegion } from "#lib/regions/networks/actions.ts";
import { networkRegionNameChars } from "#lib/regions/networks/limits.ts";
import type { NetworkRegion } from "#lib/regions/networks/queries.ts";
import { allowDrop, draggedIds, NetworkChip } from "./network-chip.tsx";
import type { Draft } from "./region-drafts.ts";
import classes from "./regions.module.css";

type Props = {
  unmapped: readonly NetworkRegion[];
  /** Network regions in all. */
  total: number;
  drafts: readonly Draft[];
  chosen: ReadonlySet<number>;
  onToggle: (id: number) => void;
  /** Sends network regions to a region, or back to the tray. */
  onMove: (ids: readonly number[], key: string | null) => void;
  onChanged: () => Promise<void>;
  readOnly: boolean;
};

/** The network regions that are mapped to nothing yet, and what can be done with the selected ones. [REG-05] */
export function NetworkTray({ unmapped, total, drafts, chosen, onToggle, onMove, onChanged, readOnly }: Props) {
  const t = useTranslations("regions");
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string>();
  const [save, saving] = useAction(saveNetworkRegion);
  const [remove, removing] = useAction(deleteNetworkRegions);
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return;
    const answer = await save({ name });
    if (!answer.data) return setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code);
    setName("");
    await onChanged();
  };
  const erase = async () => {
    const answer = await remove({ ids: [...chosen] });
    if (answer.status >= 400) return void toast.problem(answer.msg ?? t("failed"));
    onMove([...chosen], null);
    await onChanged();
  };
  return (
    <section
      className={classes.tray}
      aria-label={t("tray")}
      onDragOver={readOnly ? undefined : allowDrop}
      onDrop={(event) => onMove(draggedIds(event), null)}
    >
      <h2 className={classes.trayHead}>
        {t("tray")}
        <span aria-live="polite">
          {total === 0 ? null : <Tag tone={unmapped.length > 0 ? "warn" : "ok"}>{t("unmapped", { count: unmapped.length })}</Tag>}
        </span>
      </h2>
      {chosen.size > 0 ? (
        <div className={classes.chosen} role="toolbar" aria-label={t("chosenLabel")}>
          <span aria-live="polite">{t("chosen", { count: chosen.size })}</span>
          <Select
            size="xs"
            aria-label={t("mapTo")}
            placeholder={t("mapTo")}
            searchable
            data={drafts
              .filter(({ stored }) => stored?.status !== "INVALID")
              .map((draft) => ({ value: draft.key, label: draft.name || "-" }))}
            value={null}
            onChange={(key) => key && onMove([...chosen], key)}
          />
          <Button size="xs" onClick={() => onMove([...chosen], null)}>
            {t("unmap")}
          </Button>
          <Button size="xs" loading={removing} onClick={() => void erase()}>
            {t("deleteNetworks")}
          </Button>
        </div>
      ) : null}
      <div className={classes.chips}>
        {unmapped.map((network) => (
          <NetworkChip key={network.id} id={network.id} name={network.name} chosen={chosen} readOnly={readOnly} onToggle={onToggle} />
        ))}
        {total === 0 ? <p className={classes.hint}>{t("noNetworks")}</p> : null}
        {total > 0 && unmapped.length === 0 ? <p className={classes.hint}>{t("trayEmpty")}</p> : null}
      </div>
      {readOnly ? null : (
        <form className={classes.add} onSubmit={add}>
          <TextInput
            size="xs"
            aria-label={t("newNetwork")}
            placeholder={t("newNetwork")}
            maxLength={networkRegionNameChars}
            value={name}
            error={problem}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setProblem(undefined);
            }}
          />
          <ActionIcon type="submit" loading={saving} aria-label={t("addNetwork")}>
            <IconPlus size={16} stroke={1.4} />
          </ActionIcon>
        </form>
      )}
    </section>
  );
}
