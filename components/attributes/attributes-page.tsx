"use client";
import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconListDetails, IconPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { DropMenu } from "#components/ui/drop-menu.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { toast } from "#components/ui/toast.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf, refreshList, shownRows } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { type AttributeFlag, attributeFlags } from "#lib/attributes/limits.ts";
import type { AttributeChoices, AttributeRow, Use } from "#lib/attributes/queries.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { formatMoment } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import { readAttributes } from "./all-attributes.ts";
import type { AttributeDraft } from "./attribute-draft.ts";
import { AttributeDrawer } from "./attribute-drawer.tsx";
import { type AttributeConditions, AttributeFilters, conditionFilters } from "./attribute-filters.tsx";
import classes from "./attributes.module.css";
import { LookupDialog } from "./lookup-dialog.tsx";
import { dropHandlers, gripId, OrderGrip } from "./order-grip.tsx";
import { SheetMenu } from "./sheet-menu.tsx";
import { asSeen, movedPlaces } from "./sort-places.ts";
import { StandardDialog } from "./standard-dialog.tsx";
import { useAttributeTabs } from "./use-attribute-tabs.ts";

type Open =
  | { what: "edit"; row: AttributeRow | null; begin?: AttributeDraft }
  | { what: "standard"; taken: ReadonlySet<number> }
  | { what: "delete"; rows: AttributeRow[]; clear: () => void }
  | { what: "apply"; row: AttributeRow }
  | { what: "lookups" }
  | null;

/** The attributes of the project: found, made, changed, brought into order, deleted; flags of several set at once. [ATT-01] */
export function AttributesPage({ choices }: { choices: AttributeChoices }) {
  const t = useTranslations("attributes");
  const common = useTranslations("common");
  const { can, offset } = useSession();
  const client = useQueryClient();
  const tabs = useAttributeTabs();
  const [text, setText] = useState("");
  const [word] = useDebouncedValue(text.trim(), 300);
  const [conditions, setConditions] = useState<AttributeConditions>({});
  const [settled] = useDebouncedValue(conditions, 300);
  const [dragged, setDragged] = useState<number | null>(null);
  const [told, setTold] = useState("");
  const moving = useRef(false);
  const [open, setOpen] = useState<Open>(null);
  const mayEdit = can("attribute.edit");
  const refresh = () => refreshList(client, "planAttr/list");
  const filters: Filter[] = [...(word ? [{ field: "name", type: "like" as const, values: [word] }] : []), ...conditionFilters(settled)];
  const run = async (address: string, input: object, done?: string) => {
    const answer = await callDoor<{ refused?: { name: string; usedBy: string }[] }>(address, input);
    await refresh();
    if (answer.status >= 400) toast.problem(answer.msg ?? common("failed"));
    else if (answer.data?.refused?.length)
      toast.problem(t("list.refused", { names: answer.data.refused.map(({ name, usedBy }) => `${name} (${usedBy})`).join("; ") }));
    else if (done) toast.done(done);
    return answer.status < 400;
  };
  const place = async (id: number, targetId: number) => {
    const shown = shownRows<AttributeRow>(client, "planAttr/list");
    const stored = await readAttributes().catch((error: Error) => void toast.problem(error.message));
    const order = stored && asSeen(stored, shown);
    const items = order ? movedPlaces(order, id, targetId) : [];
    if (!order || items.length === 0) return;
    const moved = await run("planAttr/saveSort", { items });
    const at = order.findIndex((row) => row.id === targetId) + 1;
    setTold(moved ? t("order.moved", { name: order.find((row) => row.id === id)?.name ?? "", place: at }) : "");
    document.getElementById(gripId(id))?.focus();
  };
  const move = async (id: number, targetId: number) => {
    setDragged(null);
    // The next move is made upon what is shown after this one.
    if (moving.current) return;
    moving.current = true;
    await place(id, targetId).finally(() => {
      moving.current = false;
    });
  };
  const mark = (given: AttributeFlag) => ({
    key: given,
    label: t(`flag.${given}`),
    width: 110,
    render: (row: AttributeRow) => <span className={classes.yes}>{row[given] ? common("yes") : "-"}</span>,
  });
  const columns: Column<AttributeRow>[] = [
    ...(mayEdit
      ? [
          {
            key: "order",
            label: t("order.column"),
            width: 44,
            render: (row: AttributeRow) => <OrderGrip id={row.id} name={row.name} onDrag={setDragged} onMove={move} />,
          },
        ]
      : []),
    { key: "name", label: t("field.name"), width: 200, sortable: true },
    { key: "standardName", label: t("field.standardName"), width: 150 },
    { key: "type", label: t("field.type"), width: 120, sortable: true, render: (row) => t(`type.${row.type}`) },
    { key: "level", label: t("field.level"), width: 90, render: (row) => t(`level.${row.level}`) },
    { key: "classification", label: t("field.classification"), width: 120, sortable: true },
    { key: "duTab", label: t("field.duTabId"), width: 120 },
    {
      key: "flows",
      label: t("field.flows"),
      width: 140,
      render: (row) => (row.flows.length > 0 ? row.flows.map(({ name }) => name).join(", ") : t("list.allFlows")),
    },
    ...attributeFlags.map(mark),
    { key: "defaultValue", label: t("field.defaultValue"), width: 110, render: (row) => defaultText(row) },
    { key: "sortNo", label: t("field.sortNo"), width: 70, align: "right", sortable: true },
    { key: "usedBy", label: t("field.usedBy"), width: 80, align: "right", render: (row) => <Uses row={row} /> },
    { key: "updatedBy", label: t("field.updatedBy"), width: 110 },
    {
      key: "updatedAt",
      label: t("field.updatedAt"),
      width: 140,
      sortable: true,
      render: (row) => formatMoment(new Date(row.updatedAt), offset),
    },
  ];
  const add = mayEdit ? (
    <Button variant="filled" leftSection={<IconPlus size={14} stroke={1.7} />} onClick={() => setOpen({ what: "edit", row: null })}>
      {t("list.add")}
    </Button>
  ) : null;
  const close = () => setOpen(null);
  return (
    <>
      <PageBar tabs={tabs} tab="attributes">
        <Button onClick={() => setOpen({ what: "lookups" })}>{t("lookups.verb")}</Button>
        <SheetMenu />
        {mayEdit ? (
          <Button
            onClick={async () => {
              const order = await readAttributes().catch((error: Error) => void toast.problem(error.message));
              if (order) setOpen({ what: "standard", taken: new Set(order.flatMap((row) => row.standardAttributeId ?? [])) });
            }}
          >
            {t("standard.verb")}
          </Button>
        ) : null}
        {add}
      </PageBar>
      <p className="visually-hidden" aria-live="polite">
        {told}
      </p>
      <div className={classes.list} {...dropHandlers(dragged, move)}>
        <DataTable<AttributeRow>
          label={t("list.label")}
          address="planAttr/list"
          rowKey={(row) => row.id}
          columns={columns}
          filters={filters}
          {...(mayEdit ? { onOpen: (row: AttributeRow) => setOpen({ what: "edit", row }) } : {})}
          bar={
            <search className={classes.search}>
              <TextInput
                aria-label={t("list.search")}
                placeholder={t("list.search")}
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
              />
              <AttributeFilters choices={choices} value={conditions} onChange={setConditions} />
            </search>
          }
          {...(mayEdit
            ? {
                batch: (rows: AttributeRow[], clear: () => void) => (
                  <>
                    {([true, false] as const).map((value) => (
                      <DropMenu
                        key={String(value)}
                        trigger={<Button>{t(value ? "list.setFlag" : "list.unsetFlag")}</Button>}
                        entries={attributeFlags.map((given) => ({
                          key: given,
                          text: t(`flag.${given}`),
                          onClick: () => void run("planAttr/setFlags", { ids: rows.map(({ id }) => id), flags: { [given]: value } }),
                        }))}
                      />
                    ))}
                    {rows.length === 1 && can("rollout.attributeEdit") ? (
                      <Button onClick={() => setOpen({ what: "apply", row: rows[0] as AttributeRow })}>{t("applyDefault.verb")}</Button>
                    ) : null}
                    <Button color="red" onClick={() => setOpen({ what: "delete", rows, clear })}>
                      {common("delete")}
                    </Button>
                  </>
                ),
              }
            : {})}
          empty={
            filters.length > 0 ? undefined : (
              <EmptyState
                icon={<IconListDetails size={28} stroke={1} aria-hidden="true" />}
                title={t("list.empty")}
                text={t("list.emptyText")}
              >
                {add}
                <SheetMenu />
              </EmptyState>
            )
          }
        />
      </div>
      {open?.what === "edit" ? (
        <AttributeDrawer attribute={open.row} choices={choices} {...(open.begin ? { begin: open.begin } : {})} onClose={close} />
      ) : null}
      {open?.what === "standard" ? (
        <StandardDialog taken={open.taken} onChoose={(begin) => setOpen({ what: "edit", row: null, begin })} onClose={close} />
      ) : null}
      {open?.what === "lookups" ? <LookupDialog mayEdit={mayEdit} onClose={close} /> : null}
      {open?.what === "delete" ? (
        <Confirm
          opened
          danger
          verb={t("list.delete", { count: open.rows.length })}
          onConfirm={async () => {
            await run("planAttr/delete", { ids: open.rows.map(({ id }) => id) });
            open.clear();
          }}
          onClose={close}
        >
          {t("list.deleteText")}
        </Confirm>
      ) : null}
      {open?.what === "apply" ? (
        <Confirm
          opened
          verb={t("applyDefault.verb")}
          onConfirm={() => run("planAttr/applyDefault", { id: open.row.id, confirm: true }, t("applyDefault.started"))}
          onClose={close}
        >
          {t("applyDefault.text", { name: open.row.name })}
        </Confirm>
      ) : null}
    </>
  );
}

function defaultText({ type, enums, defaultValue, projectDefaultValue }: AttributeRow): string {
  const value = projectDefaultValue ?? defaultValue;
  if (value === null) return "-";
  return type === "ENUM" || type === "LOOKUP_ENUM" ? (enums.find(({ id }) => String(id) === value)?.value ?? value) : value;
}

/** How many objects name an attribute; their names when it is asked. */
function Uses({ row }: { row: AttributeRow }) {
  const t = useTranslations("attributes");
  const project = useProjectNumber();
  const [asked, setAsked] = useState(false);
  const uses = useQuery({
    queryKey: ["attribute uses", project, row.id],
    enabled: asked,
    queryFn: async ({ signal }) => dataOf(await callDoor<Use[]>("planAttr/usage", { id: row.id }, { signal })),
  });
  if (row.usedBy === 0) return <>-</>;
  return (
    <span
      onPointerEnter={() => setAsked(true)}
      title={uses.data?.map(({ name }) => name).join("\n") ?? t("list.usedBy", { count: row.usedBy })}
    >
      {row.usedBy}
    </span>
  );
}
