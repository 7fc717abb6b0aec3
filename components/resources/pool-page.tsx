"use client";
import { Button } from "@mantine/core";
import { IconChevronDown, IconFileExport, IconFileImport, IconPlus, IconSettings, IconUserCheck } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { DataTable } from "#components/ui/data-table.tsx";
import { type DropEntry, DropMenu } from "#components/ui/drop-menu.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { useExport } from "#components/ui/use-export.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf, refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { projectToday } from "#lib/core/clock.ts";
import { formatNumber } from "#lib/core/format.ts";
import { type PoolTab, poolTabs } from "#lib/resources/pool/limits.ts";
import type { PoolChoices, Resource } from "#lib/resources/pool/queries.ts";
import { exportRights } from "#lib/resources/pool-sheet/limits.ts";
import { PoolBar } from "./pool-bar.tsx";
import { poolColumns } from "./pool-columns.tsx";
import { filtersOf, introductionsAddress, noQuestion, poolAddress } from "./pool-data.ts";
import classes from "./resources.module.css";

const PersonDialog = onDemand(() => import("./person-dialog.tsx").then((module) => module.PersonDialog));
const PersonDrawer = onDemand(() => import("./person-drawer.tsx").then((module) => module.PersonDrawer));
const ExtendDialog = onDemand(() => import("./extend-dialog.tsx").then((module) => module.ExtendDialog));
const GroupChoice = onDemand(() => import("./group-choice.tsx").then((module) => module.GroupChoice));
const LeaveDialog = onDemand(() => import("./leave-dialog.tsx").then((module) => module.LeaveDialog));
const SettingsDialog = onDemand(() => import("./settings-dialog.tsx").then((module) => module.SettingsDialog));
const IntroduceDialog = onDemand(() => import("./introduce-dialog.tsx").then((module) => module.IntroduceDialog));
const IntroductionsDialog = onDemand(() => import("./introductions-dialog.tsx").then((module) => module.IntroductionsDialog));
const TransferDialog = onDemand(() => import("./transfer-dialog.tsx").then((module) => module.TransferDialog));

type Open =
  | { dialog: "edit"; person: Resource | null }
  | { dialog: "drawer" | "transfer"; person: Resource }
  | { dialog: "extend" | "group"; people: Resource[]; clear: () => void }
  | { dialog: "leave"; people: Resource[]; verb: "delete" | "INACTIVE" | "ACTIVE"; clear: () => void }
  | { dialog: "settings" | "introduce" | "introductions" };

type Counts = { tab: PoolTab; count: number }[];

/** The people of the project by where they come from, with what they may do and until when. [RES-07] [RES-09] */
export function PoolPage({ counts: first, choices, tab: given }: { counts: Counts; choices: PoolChoices; tab: PoolTab | null }) {
  const t = useTranslations("resources");
  const { can, offset } = useSession();
  const href = useHref();
  const project = useProjectNumber();
  const client = useQueryClient();
  const [tab, setTab] = useState<PoolTab>(given ?? first[0]?.tab ?? "OWN");
  const [question, setQuestion] = useState(noQuestion);
  const [open, setOpen] = useState<Open | null>(null);
  const [startExport, exporting] = useExport("resource/export");
  const today = projectToday(new Date(), offset);
  const counts = useQuery({
    queryKey: ["resource tabs", project],
    queryFn: async ({ signal }) => dataOf(await callDoor<Counts>("resource/tabs", {}, { signal })),
    initialData: first,
    staleTime: 30_000,
  });
  const mayEdit = can("resource.edit");
  const filters = filtersOf(tab, question);
  const close = () => setOpen(null);
  const more: DropEntry[] = [
    ...(mayEdit
      ? [
          {
            key: "import",
            text: t("import"),
            icon: <IconFileImport size={16} stroke={1.4} />,
            href: href("resourcePool", { query: { import: "resources" } }),
          },
        ]
      : []),
    ...(can(exportRights[tab])
      ? [
          {
            key: "export",
            text: t("export"),
            icon: <IconFileExport size={16} stroke={1.4} />,
            onClick: () => void startExport({ tab, filters: filters.slice(1) }),
          },
        ]
      : []),
    ...(can("resource.view")
      ? [
          {
            key: "settings",
            text: t("settings.title"),
            icon: <IconSettings size={16} stroke={1.4} />,
            onClick: () => setOpen({ dialog: "settings" }),
          },
        ]
      : []),
  ];
  const refresh = async () => {
    await Promise.all([
      refreshList(client, poolAddress),
      refreshList(client, introductionsAddress),
      client.invalidateQueries({ queryKey: ["resource tabs", project] }),
    ]);
  };
  return (
    <div className={classes.page}>
      <PageBar
        tab={tab}
        onTab={(key) => setTab(poolTabs.find((one) => one === key) ?? "OWN")}
        tabs={counts.data.map(({ tab: key, count }) => ({ key, label: t(`tab.${key}`), count: formatNumber(count) }))}
      >
        {more.length > 0 ? (
          <DropMenu
            position="bottom-end"
            trigger={
              <Button loading={exporting} rightSection={<IconChevronDown size={14} stroke={1.5} />}>
                {t("more")}
              </Button>
            }
            entries={more}
          />
        ) : null}
        {can("subcon.introduce") || can("subcon.approve") ? (
          <Button leftSection={<IconUserCheck size={16} stroke={1.4} />} onClick={() => setOpen({ dialog: "introductions" })}>
            {t("introductions.title")}
          </Button>
        ) : null}
        {tab === "SUBCON" && can("subcon.introduce") ? (
          <Button variant="filled" leftSection={<IconPlus size={16} stroke={1.4} />} onClick={() => setOpen({ dialog: "introduce" })}>
            {t("introduce.title")}
          </Button>
        ) : mayEdit ? (
          <Button
            variant="filled"
            leftSection={<IconPlus size={16} stroke={1.4} />}
            onClick={() => setOpen({ dialog: "edit", person: null })}
          >
            {t("person.add")}
          </Button>
        ) : null}
      </PageBar>
      <DataTable<Resource>
        key={tab}
        label={t(`tab.${tab}`)}
        address={poolAddress}
        filters={filters}
        columns={poolColumns(t, tab, today)}
        rowKey={(person) => person.id}
        onOpen={(person) => setOpen({ dialog: "drawer", person })}
        bar={<PoolBar question={question} skills={choices.skills} onChange={setQuestion} />}
        {...(mayEdit
          ? {
              batch: (people: Resource[], clear: () => void) => (
                <>
                  <Button onClick={() => setOpen({ dialog: "extend", people, clear })}>{t("extend.title")}</Button>
                  <Button onClick={() => setOpen({ dialog: "group", people, clear })}>{t("toGroup.title")}</Button>
                  <Button onClick={() => setOpen({ dialog: "leave", verb: "ACTIVE", people, clear })}>{t("leave.activate")}</Button>
                  <Button onClick={() => setOpen({ dialog: "leave", verb: "INACTIVE", people, clear })}>{t("leave.deactivate")}</Button>
                  <Button onClick={() => setOpen({ dialog: "leave", verb: "delete", people, clear })}>{t("leave.remove")}</Button>
                </>
              ),
            }
          : {})}
        empty={<EmptyState text={t("emptyText")} />}
      />
      {open?.dialog === "edit" ? (
        <PersonDialog person={open.person} customer={tab === "CUSTOMER"} skills={choices.skills} onClose={close} onSaved={refresh} />
      ) : null}
      {open?.dialog === "drawer" ? (
        <PersonDrawer
          person={open.person}
          today={today}
          onClose={close}
          onEdit={mayEdit ? () => setOpen({ dialog: "edit", person: open.person }) : undefined}
          onTransfer={can("resource.transfer") ? () => setOpen({ dialog: "transfer", person: open.person }) : undefined}
        />
      ) : null}
      {open?.dialog === "transfer" ? <TransferDialog person={open.person} onClose={close} onDone={refresh} /> : null}
      {open?.dialog === "extend" ? (
        <ExtendDialog people={open.people} today={today} onClose={close} onDone={() => done(open.clear)} />
      ) : null}
      {open?.dialog === "group" ? <GroupChoice people={open.people} onClose={close} onDone={() => done(open.clear)} /> : null}
      {open?.dialog === "leave" ? (
        <LeaveDialog people={open.people} verb={open.verb} onClose={close} onDone={() => done(open.clear)} />
      ) : null}
      {open?.dialog === "settings" ? <SettingsDialog onClose={close} /> : null}
      {open?.dialog === "introduce" ? <IntroduceDialog companies={choices.subcontractors} onClose={close} onDone={refresh} /> : null}
      {open?.dialog === "introductions" ? <IntroductionsDialog onClose={close} onDone={refresh} /> : null}
    </div>
  );

  function done(clear: () => void) {
    clear();
    return refresh();
  }
}
