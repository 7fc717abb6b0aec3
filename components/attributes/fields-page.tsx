"use client";
import { ActionIcon, Button, Checkbox, NativeSelect, Switch } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconChevronLeft, IconChevronRight, IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useRef, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { toast } from "#components/ui/toast.ts";
import { refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import type { AttributeChoices, AttributeRow } from "#lib/attributes/queries.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { Filter } from "#lib/core/paging.ts";
import { useAttributes } from "./all-attributes.ts";
import { type AttributeDraft, draftOf, inputOf } from "./attribute-draft.ts";
import { AttributeDrawer } from "./attribute-drawer.tsx";
import classes from "./attributes.module.css";
import { movedPlaces } from "./sort-places.ts";
import { useAttributeTabs } from "./use-attribute-tabs.ts";

/**
 * Which fields the plan shows, of all flows or of one: two lists between which fields move, the shown ones in their order. As extended fields they say too who
 * alone may edit each, and take fields of one's own. [ATT-02] [ATT-03]
 */
export function FieldsPage({ choices, extended = false }: { choices: AttributeChoices; extended?: boolean }) {
  const t = useTranslations("attributes");
  const common = useTranslations("common");
  const id = useId();
  const { can } = useSession();
  const client = useQueryClient();
  const tabs = useAttributeTabs();
  const [flow, setFlow] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [open, setOpen] = useState<{ row: AttributeRow | null; control: boolean; begin?: AttributeDraft } | null>(null);
  const [busy, setBusy] = useState(false);
  const filters: Filter[] = flow ? [{ field: "flow", type: "eq", values: [Number(flow)] }] : [];
  const list = useAttributes(filters);
  const rows = (list.data ?? []).filter(({ level }) => level !== "TAB");
  const shown = rows.filter(({ inRolloutPlan }) => inRolloutPlan);
  const available = rows.filter(({ inRolloutPlan }) => !inRolloutPlan);
  const mayEdit = can("attribute.edit");
  const refresh = () => refreshList(client, "planAttr/list");
  const write = async (address: string, input: object) => {
    setBusy(true);
    const answer = await callDoor(address, input);
    await refresh();
    setBusy(false);
    if (answer.status >= 400) toast.problem(answer.msg ?? common("failed"));
    else setChosen(new Set());
  };
  const pick = (from: readonly AttributeRow[]) => from.filter((row) => chosen.has(row.id)).map((row) => row.id);
  const show = (inRolloutPlan: boolean) =>
    write("planAttr/setFlags", { ids: pick(inRolloutPlan ? available : shown), flags: { inRolloutPlan } });
  const move = (at: number, step: number) => {
    const [one, other] = [shown[at], shown[at + step]];
    if (one && other) return write("planAttr/saveSort", { items: movedPlaces(shown, one.id, other.id) });
  };
  const setControl = async (row: AttributeRow, on: boolean) => {
    if (on) setOpen({ row, control: true });
    else await write("planAttr/save", inputOf({ ...draftOf(row), editablePersonControl: false }, row, false, false));
  };
  const pane = (which: "available" | "shown", items: readonly AttributeRow[]) => (
    <section className={classes.pane} aria-labelledby={`${id}-${which}`}>
      <h2 id={`${id}-${which}`} className={classes.paneHead}>
        {t(`displayed.${which}`)}
        <span className={classes.quiet}>{list.data ? items.length : ""}</span>
      </h2>
      <ul className={classes.paneRows}>
        {items.map((row, at) => (
          <li key={row.id} className={classes.paneRow} data-chosen={chosen.has(row.id) || undefined}>
            <Checkbox
              aria-label={row.name}
              checked={chosen.has(row.id)}
              disabled={!mayEdit}
              onChange={() =>
                setChosen((before) => {
                  const after = new Set(before);
                  if (!after.delete(row.id)) after.add(row.id);
                  return after;
                })
              }
            />
            <span className={classes.paneName} title={row.name}>
              {row.name}
            </span>
            <span className={classes.quiet}>{`${t(`level.${row.level}`)} · ${t(`type.${row.type}`)}`}</span>
            {extended ? (
              <Switch
                size="xs"
                checked={row.editablePersonControl}
                disabled={!mayEdit || busy}
                label={t("extended.control")}
                aria-label={t("extended.controlOf", { name: row.name })}
                onChange={(event) => void setControl(row, event.currentTarget.checked)}
              />
            ) : null}
            {which === "shown" && mayEdit ? (
              <>
                <ActionIcon
                  size={24}
                  disabled={busy || at === 0}
                  aria-label={t("choices.up", { name: row.name })}
                  onClick={() => move(at, -1)}
                >
                  <IconArrowUp size={14} stroke={1.7} />
                </ActionIcon>
                <ActionIcon
                  size={24}
                  disabled={busy || at === items.length - 1}
                  aria-label={t("choices.down", { name: row.name })}
                  onClick={() => move(at, 1)}
                >
                  <IconArrowDown size={14} stroke={1.7} />
                </ActionIcon>
              </>
            ) : null}
          </li>
        ))}
        {items.length === 0 && list.isSuccess ? <li className={classes.paneRow}>{t(`displayed.none.${which}`)}</li> : null}
      </ul>
    </section>
  );
  const full = choices.customCount >= choices.customMax;
  const add =
    extended && mayEdit ? (
      <Button
        variant="filled"
        leftSection={<IconPlus size={14} stroke={1.7} />}
        disabled={full}
        title={full ? t("extended.full", { max: choices.customMax }) : undefined}
        onClick={() => setOpen({ row: null, control: false })}
      >
        {t("extended.add")}
      </Button>
    ) : null;
  return (
    <>
      <PageBar tabs={tabs} tab={extended ? "extendedFields" : "displayedAttributes"}>
        {add}
      </PageBar>
      <search className={classes.bar}>
        <NativeSelect
          aria-label={t("field.flows")}
          value={flow}
          data={[{ value: "", label: t("list.allFlows") }, ...choices.flows.map((one) => ({ value: String(one.id), label: one.name }))]}
          onChange={(event) => setFlow(event.currentTarget.value)}
        />
        {extended ? (
          <span className={classes.quiet}>{t("extended.room", { used: choices.customCount, max: choices.customMax })}</span>
        ) : null}
      </search>
      {list.isError ? (
        <ErrorPanel title={t("list.failed")} failed={list.error} onRetry={() => list.refetch()} />
      ) : list.isSuccess && rows.length === 0 && !flow ? (
        <EmptyState title={t("list.empty")} text={t("list.emptyText")}>
          {add}
        </EmptyState>
      ) : (
        <div className={classes.panes} aria-busy={list.isFetching}>
          {pane("available", available)}
          <div className={classes.moves}>
            <Button
              disabled={!mayEdit || busy || pick(available).length === 0}
              rightSection={<IconChevronRight size={14} />}
              onClick={() => show(true)}
            >
              {t("displayed.show")}
            </Button>
            <Button
              disabled={!mayEdit || busy || pick(shown).length === 0}
              leftSection={<IconChevronLeft size={14} />}
              onClick={() => show(false)}
            >
              {t("displayed.hide")}
            </Button>
          </div>
          {pane("shown", shown)}
        </div>
      )}
      {open && !open.control ? (
        <AttributeDrawer
          attribute={open.row}
          choices={choices}
          custom={extended}
          {...(open.begin && { begin: open.begin })}
          onClose={() => setOpen(null)}
        />
      ) : null}
      {open?.control && open.row ? (
        <ControlConfirm
          row={open.row}
          onDone={(row) => setOpen({ row, control: false, begin: { ...draftOf(row), editablePersonControl: true } })}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </>
  );
}

/** Asks before only named persons can edit a field, then lets them be named. */
function ControlConfirm({ row, onDone, onClose }: { row: AttributeRow; onDone: (row: AttributeRow) => void; onClose: () => void }) {
  const t = useTranslations("attributes");
  /** The answer leads to the drawer. */
  const goesOn = useRef(false);
  return (
    <Confirm
      opened
      verb={t("extended.switchOn")}
      title={t("extended.controlOf", { name: row.name })}
      onConfirm={() => {
        goesOn.current = true;
      }}
      onClose={() => (goesOn.current ? onDone(row) : onClose())}
    >
      {t("extended.switchOnText")}
    </Confirm>
  );
}
