"use client";
import { Button } from "@mantine/core";
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowLeft,
  IconLayoutDistributeHorizontal,
  IconListCheck,
  IconPlus,
  IconRocket,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useCommands } from "#components/ui/commands.ts";
import { Confirm } from "#components/ui/confirm.tsx";
import { Kbd } from "#components/ui/kbd.tsx";
import { blank, onDemand } from "#components/ui/on-demand.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { toast } from "#components/ui/toast.ts";
import { useUnsaved } from "#components/ui/unsaved.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import type { SimulationCalendar } from "#lib/activity-flows/simulation/logic.ts";
import { callDoor, listAddress } from "#lib/core/call-door.ts";
import { formatMinute, formatNumber } from "#lib/core/format.ts";
import type { Page } from "#lib/core/paging.ts";
import { ActivityForm } from "./activity-form.tsx";
import { CheckCard } from "./check-card.tsx";
import panel from "./editor-panel.module.css";
import type { ActivityRow, FlowDetail } from "./flow-data.ts";
import { FlowDialog } from "./flow-dialog.tsx";
import classes from "./flow-editor.module.css";
import { FlowTable } from "./flow-table.tsx";
import { FlowTag } from "./flow-tag.tsx";
import type { LibraryChoice } from "./node-flags.ts";
import { RelationForm } from "./relation-form.tsx";
import { SimulationChart } from "./simulation-chart.tsx";
import { relationKey, useFlowEditor } from "./use-flow-editor.ts";

const FlowDiagram = onDemand(() => import("./flow-diagram.tsx").then((module) => module.FlowDiagram), [], blank);

type View = "table" | "diagram" | "simulation";
const none: readonly LibraryChoice[] = [];
const librarySize = 2000;

/** One flow: diagram, table and simulation of the same graph, the live check beside them. */
export function FlowEditor({ detail, calendar, today }: { detail: FlowDetail; calendar: SimulationCalendar; today: string }) {
  const editing = useFlowEditor(detail);
  const { state, graph, head, findings, editable, edited, isDraft, selection, setSelection, change, save, release, saving, releasing } =
    editing;
  const t = useTranslations("activity-flows");
  const common = useTranslations("common");
  const { can, offset } = useSession();
  const href = useHref();
  const project = useProjectNumber();
  const [view, setView] = useState<View>(detail.nodes.length === 0 && editable ? "table" : "diagram");
  const [arrangedAt, setArrangedAt] = useState(0);
  const [asked, setAsked] = useState<"release" | "discard" | null>(null);
  const [renaming, setRenaming] = useState(false);
  const [panelShown, setPanelShown] = useState(true);
  useUnsaved(edited);
  const library = useQuery({
    queryKey: ["flow-library", project],
    queryFn: async ({ signal }) =>
      dataOf(
        await callDoor<Page<ActivityRow>>(
          listAddress("activityLibrary/list", 1, librarySize, [{ field: "enabled", type: "eq", values: [true] }]),
          {},
          { signal },
        ),
      ).records,
    staleTime: 60_000,
    meta: lookup,
  });
  const blockers = findings.filter((finding) => finding.weight !== "warning");
  const chosen = graph.nodes.filter((node) => selection.nodes.has(node.key));
  const relation = graph.relations.find((one) => selection.relations.has(relationKey(one)));
  const nextVersion = head.version + 1;
  const followers = head.draftOf === null ? 0 : (head.duCount ?? 0);

  const onSave = async () => {
    if ((await save()) === null) return setPanelShown(true);
    toast.done(common("saved"));
    // Names that were new are library activities now.
    await library.refetch();
  };
  const onRelease = async () => {
    const released = await release();
    if (released === null) return setPanelShown(true);
    toast.done(t("release.done", { version: released.version, dus: released.changedDus }));
  };
  const askRelease = () => {
    if (blockers.length > 0) return setPanelShown(true);
    if (followers > 0) setAsked("release");
    else void onRelease();
  };
  const arrange = () => {
    change({ do: "arrange" });
    setArrangedAt((count) => count + 1);
  };
  const add = () => {
    const [after] = chosen;
    change({ do: "add", after: after?.key, link: after !== undefined });
    setSelection({ nodes: new Set([`new${state.nextKey}`]), relations: new Set() });
    setPanelShown(true);
  };
  const show = (keys: readonly string[]) => setSelection({ nodes: new Set(keys), relations: new Set() });

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      const typing = event.target instanceof Element && event.target.closest("[data-typing], textarea, [role=dialog]") !== null;
      if (key === "s" && editable) {
        event.preventDefault();
        (document.activeElement as HTMLElement | null)?.blur?.();
        // Leaving the field takes what was typed; the save follows with it.
        setTimeout(() => document.getElementById("flow-save")?.click());
      } else if (key === "enter" && isDraft) {
        event.preventDefault();
        (document.activeElement as HTMLElement | null)?.blur?.();
        setTimeout(() => document.getElementById("flow-release")?.click());
      } else if ((key === "z" || key === "y") && !typing && editable && !releasing) {
        event.preventDefault();
        change({ do: key === "y" || event.shiftKey ? "redo" : "undo" });
      }
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [editable, isDraft, releasing, change]);

  const { settle } = editing;
  const showView = useCallback(
    (next: View) => {
      if (next === "diagram") settle();
      setView(next);
    },
    [settle],
  );
  const commands = useMemo(
    () => (["diagram", "table", "simulation"] as const).map((key) => ({ key, label: t(`view.${key}`), run: () => showView(key) })),
    [t, showView],
  );
  useCommands(commands);

  return (
    <>
      <PageBar
        record={head.name}
        status={
          <FlowTag status={head.status} version={head.draftOf === null ? head.version : nextVersion} workingCopy={head.draftOf !== null} />
        }
        edited={edited}
        tabs={commands}
        tab={view}
        onTab={(key) => showView(key as View)}
      >
        {head.status === "released" && can("flow.edit") ? (
          <Button variant="filled" loading={editing.opening} onClick={editing.openCopy}>
            {detail.workingCopy ? t("editor.openCopy") : common("edit")}
          </Button>
        ) : null}
        {editable ? (
          <Button id="flow-save" loading={saving} disabled={!edited} onClick={onSave} rightSection={<Kbd>Ctrl S</Kbd>}>
            {common("save")}
          </Button>
        ) : null}
        {isDraft && can("flow.release") ? (
          <Button
            id="flow-release"
            variant="filled"
            loading={releasing}
            leftSection={<IconRocket size={16} stroke={1.4} />}
            onClick={askRelease}
          >
            {t("release.verb", { version: nextVersion })}
          </Button>
        ) : null}
      </PageBar>
      {/* What were changed during a release would be in no version: nothing can be until it is answered. */}
      <div className={classes.bar} role="toolbar" aria-label={t("editor.tools")} inert={releasing}>
        <Button
          component={Link}
          href={href("activityFlows")}
          prefetch={false}
          variant="subtle"
          color="gray"
          leftSection={<IconArrowLeft size={16} stroke={1.4} />}
        >
          {t("editor.all")}
        </Button>
        {editable ? (
          <>
            <Button variant="subtle" color="gray" leftSection={<IconPlus size={16} stroke={1.4} />} onClick={add}>
              {t("editor.add")}
            </Button>
            <Button
              variant="subtle"
              color="gray"
              leftSection={<IconArrowBackUp size={16} stroke={1.4} />}
              disabled={state.past.length === 0}
              title="Ctrl Z"
              onClick={() => change({ do: "undo" })}
            >
              {common("undo")}
            </Button>
            <Button
              variant="subtle"
              color="gray"
              leftSection={<IconArrowForwardUp size={16} stroke={1.4} />}
              disabled={state.future.length === 0}
              title="Ctrl Y"
              onClick={() => change({ do: "redo" })}
            >
              {common("redo")}
            </Button>
            <Button variant="subtle" color="gray" leftSection={<IconLayoutDistributeHorizontal size={16} stroke={1.4} />} onClick={arrange}>
              {t("editor.arrange")}
            </Button>
          </>
        ) : (
          <span className={classes.note}>{head.status === "draft" ? t("editor.noRight") : t("editor.readOnly")}</span>
        )}
        <span className={classes.aside}>{head.draftOf === null ? "" : t("editor.copyNote")}</span>
        <span className={classes.gap} />
        {isDraft && can("flow.edit") ? (
          <Button variant="subtle" color="gray" onClick={() => setRenaming(true)}>
            {t("editor.head")}
          </Button>
        ) : null}
        {head.draftOf !== null && can("flow.edit") ? (
          <Button variant="subtle" color="gray" onClick={() => setAsked("discard")}>
            {t("editor.discard")}
          </Button>
        ) : null}
        <Button
          variant="subtle"
          color="gray"
          aria-expanded={panelShown}
          leftSection={<IconListCheck size={16} stroke={1.4} />}
          onClick={() => setPanelShown((shown) => !shown)}
        >
          {t("check.short", { count: findings.length })}
        </Button>
      </div>
      <div className={classes.body} inert={releasing}>
        {view === "diagram" ? <FlowDiagram editing={editing} arrangedAt={arrangedAt} /> : null}
        {view === "table" ? <FlowTable editing={editing} library={library.data ?? none} /> : null}
        {view === "simulation" ? <SimulationChart editing={editing} calendar={calendar} today={today} /> : null}
        {panelShown ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached with the keyboard
          <aside className={panel.panel} aria-label={t("panel.label")} tabIndex={0}>
            {chosen.length > 0 ? (
              <ActivityForm
                key={chosen.map((node) => node.key).join(" ")}
                editing={editing}
                nodes={chosen}
                library={library.data ?? none}
              />
            ) : null}
            {relation && chosen.length === 0 ? <RelationForm key={relationKey(relation)} editing={editing} relation={relation} /> : null}
            <CheckCard editing={editing} onShow={show} />
            {editable ? <p className={classes.help}>{t(view === "table" ? "editor.helpTable" : "editor.helpDiagram")}</p> : null}
          </aside>
        ) : null}
      </div>
      <footer className={classes.status}>
        <span>{t("editor.counts", { activities: formatNumber(graph.nodes.length), relations: formatNumber(graph.relations.length) })}</span>
        <span aria-live="polite">
          {!isDraft ? "" : blockers.length > 0 ? t("check.open", { count: blockers.length }) : t("check.ready")}
        </span>
        <span className={classes.updated}>{t("editor.updated", { at: formatMinute(head.updatedAt, offset), by: head.updatedByName })}</span>
      </footer>
      <FlowDialog
        mode={
          renaming
            ? {
                kind: "edit",
                id: head.id,
                rowVersion: head.rowVersion,
                name: head.name,
                description: head.description,
                deliveryTypes: head.deliveryTypes,
              }
            : null
        }
        onClose={() => setRenaming(false)}
        onDone={(_, rowVersion, fields) => editing.setHead((before) => ({ ...before, ...fields, rowVersion }))}
      />
      <Confirm
        opened={asked === "release"}
        verb={t("release.verb", { version: nextVersion })}
        onConfirm={onRelease}
        onClose={() => setAsked(null)}
      >
        {t("release.text", { dus: followers })}
      </Confirm>
      <Confirm opened={asked === "discard"} danger verb={t("editor.discard")} onConfirm={editing.discard} onClose={() => setAsked(null)}>
        {t("editor.discardText")}
      </Confirm>
    </>
  );
}
