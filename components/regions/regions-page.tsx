"use client";
import { Button } from "@mantine/core";
import { IconClipboardList, IconFileImport, IconMapPin } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useEffect, useMemo, useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useUnsaved } from "#components/ui/unsaved.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useHref } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { saveRegions } from "#lib/regions/actions.ts";
import type { RegionPoint } from "#lib/regions/queries.ts";
import { NetworkTray } from "./network-tray.tsx";
import { changedDrafts, type Draft, draftsOf, isEdited, mergeDrafts, moveTo, unmappedOf, withPasted, withSaved } from "./region-drafts.ts";
import { RegionMap } from "./region-map.tsx";
import { RegionTable } from "./region-table.tsx";
import { regionTabs } from "./region-tabs.ts";
import classes from "./regions.module.css";
import { type Regions, useRegions } from "./use-regions.ts";

const PasteDialog = onDemand(() => import("./paste-dialog.tsx").then((module) => module.PasteDialog));
const StatusDialog = onDemand(() => import("./status-dialog.tsx").then((module) => module.StatusDialog));
const DeleteDialog = onDemand(() => import("./delete-dialog.tsx").then((module) => module.DeleteDialog));

type Open = { dialog: "paste" } | { dialog: "status" | "delete"; draft: Draft };

/** Delivery regions and the regions of the customer's network mapped to them; all edits are saved together. [REG-01] */
export function RegionsPage({ first, points }: { first: Regions; points: readonly RegionPoint[] }) {
  const t = useTranslations("regions");
  const common = useTranslations("common");
  const { can } = useSession();
  const href = useHref();
  const [{ regions, networks }, refresh] = useRegions(first);
  const [drafts, setDrafts] = useState<readonly Draft[]>(() => draftsOf(regions));
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<string>();
  const [open, setOpen] = useState<Open | null>(null);
  const [save, saving] = useAction(saveRegions);
  const mayEdit = can("region.edit");
  const unmapped = unmappedOf(networks, drafts);
  const edited = drafts.some(isEdited);
  useUnsaved(edited);
  useEffect(() => setDrafts((before) => mergeDrafts(before, { regions, networks })), [regions, networks]);
  const names = useMemo(() => new Map(networks.map(({ id, name }) => [id, name])), [networks]);
  const change = (next: (before: readonly Draft[]) => readonly Draft[]) => {
    setDrafts(next);
    setFaults({});
    setProblem(undefined);
  };
  const move = (ids: readonly number[], key: string | null) => {
    change((before) => moveTo(before, ids, key));
    setChosen(new Set());
  };
  const toggle = (id: number) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const submit = async () => {
    const sent = drafts.filter(isEdited);
    const answer = await save({ regions: changedDrafts(drafts) });
    if (answer.data) {
      const { ids } = answer.data;
      change((before) => withSaved(before, sent, ids, names));
      toast.done(common("saved"));
      return refresh();
    }
    const own = (answer.problems ?? []).flatMap(({ path, msg }) => {
      const key = sent[Number(/^regions\.(\d+)\./.exec(path)?.[1])]?.key;
      return key ? [[key, msg] as const] : [];
    });
    setFaults(Object.fromEntries(own));
    if (own.length === 0) setProblem(answer.msg ?? answer.code);
  };
  return (
    <div className={classes.page}>
      <PageBar {...regionTabs(href, "regions", t)} edited={edited}>
        {mayEdit ? (
          <>
            <LinkButton href={href("regions", { query: { import: "networkRegions" } })} icon={<IconFileImport size={16} stroke={1.4} />}>
              {t("importNetworks")}
            </LinkButton>
            <Button leftSection={<IconClipboardList size={16} stroke={1.4} />} onClick={() => setOpen({ dialog: "paste" })}>
              {t("paste.title")}
            </Button>
            <Button disabled={!edited} onClick={() => change(() => draftsOf(regions))}>
              {common("reset")}
            </Button>
            <Button
              variant="filled"
              loading={saving}
              disabled={!edited || unmapped.length > 0}
              title={unmapped.length > 0 ? t("mapAll") : undefined}
              onClick={() => void submit()}
            >
              {common("save")}
            </Button>
          </>
        ) : null}
      </PageBar>
      {problem ? (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      ) : null}
      <div className={classes.sides}>
        <NetworkTray
          unmapped={unmapped}
          total={networks.length}
          drafts={drafts}
          chosen={chosen}
          onToggle={toggle}
          onMove={move}
          onChanged={refresh}
          readOnly={!mayEdit}
        />
        <ScrollRegion className={classes.main} label={t("label")}>
          {drafts.length === 0 ? (
            <EmptyState title={t("empty")} text={t("emptyText")} icon={<IconMapPin size={28} stroke={1} aria-hidden="true" />}>
              {mayEdit ? <Button onClick={() => setOpen({ dialog: "paste" })}>{t("paste.title")}</Button> : null}
            </EmptyState>
          ) : (
            <RegionTable
              drafts={drafts}
              names={names}
              chosen={chosen}
              faults={faults}
              readOnly={!mayEdit}
              onToggle={toggle}
              onMove={move}
              onRename={(key, name) => change((before) => before.map((draft) => (draft.key === key ? { ...draft, name } : draft)))}
              onStatus={(draft) => setOpen({ dialog: "status", draft })}
              onDelete={(draft) =>
                draft.stored ? setOpen({ dialog: "delete", draft }) : change((before) => before.filter(({ key }) => key !== draft.key))
              }
            />
          )}
          {points.length > 0 ? <RegionMap points={points} regions={regions} /> : null}
        </ScrollRegion>
      </div>
      {unmapped.length === 0 && networks.length > 0 ? (
        <p className={classes.foot}>
          <Tag tone="ok">{t("allMapped", { count: networks.length })}</Tag>
        </p>
      ) : null}
      {open?.dialog === "paste" ? (
        <PasteDialog onClose={() => setOpen(null)} onAdd={(text) => change((before) => withPasted(before, text))} />
      ) : null}
      {open?.dialog === "status" && open.draft.stored ? (
        <StatusDialog region={open.draft.stored} regions={regions} onClose={() => setOpen(null)} onDone={refresh} />
      ) : null}
      {open?.dialog === "delete" && open.draft.stored ? (
        <DeleteDialog region={open.draft.stored} onClose={() => setOpen(null)} onDone={refresh} />
      ) : null}
    </div>
  );
}
