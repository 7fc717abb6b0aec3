"use client";
import { Select } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useCallback, useMemo, useState } from "react";
import { useDirtyDesks } from "#components/grid/use-dirty-desks.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import listFrame from "#components/ui/list-frame.module.css";
import { PageBar } from "#components/ui/page-bar.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import type { InputBlock } from "#lib/planning-engine/input-check/limits.ts";
import type { InputCheck } from "#lib/planning-engine/input-check/queries.ts";
import type { BlockName } from "#lib/planning-engine/inputs/logic.ts";
import type { EngineVersion } from "#lib/planning-engine/versions/queries.ts";
import type { WarehouseChoice } from "#lib/planning-engine/warehouses/queries.ts";
import { inputOf } from "./engine-blocks.ts";
import { blockNames, ofProject } from "./input-blocks.ts";
import { type InputDesk, makeInputDesk } from "./input-desk.ts";
import { InputTable } from "./input-table.tsx";
import { InputVerbs } from "./input-verbs.tsx";
import { keepVersion } from "./open-version.ts";
import { SyncButton } from "./sync-button.tsx";
import { useRefusal } from "./use-refusal.ts";

type Props = {
  versions: readonly EngineVersion[];
  version: EngineVersion | null;
  block: BlockName;
  /** What is looked for at first. */
  search: string;
};

/** The rows of the inputs of a version, and the warehouses of the project: one at a time, each keeping what is edited and not saved. [ENG-06] */
export function InputsPage({ versions, version: first, block: firstBlock, search }: Props) {
  const t = useTranslations("engine-home");
  const words = useTranslations("grid");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const href = useHref();
  const client = useQueryClient();
  const { can } = useSession();
  const refusal = useRefusal();
  const [version, setVersion] = useState(first);
  const [name, setName] = useState(firstBlock);
  const mayEdit = can("engine.edit") && (ofProject(name) || version?.status !== "calculating");
  const warehouseKey = ["engine warehouses", project];
  const warehouses = useQuery({
    queryKey: warehouseKey,
    queryFn: async ({ signal }) => dataOf(await callDoor<WarehouseChoice[]>("commomUtil/getWarehouseList", {}, { signal })),
    meta: lookup,
  });
  const choices = useMemo(() => (warehouses.data ?? []).map(({ id, name: label }) => ({ value: String(id), label })), [warehouses.data]);
  const found = useQuery({
    queryKey: ["engine check", project, version?.id],
    enabled: version !== null,
    queryFn: async ({ signal }) => dataOf(await callDoor<InputCheck>("engine/input/check", { versionId: version?.id }, { signal })),
  });
  const check = useMemo(() => {
    const ofBlock = ({ block }: { block: InputBlock }) => inputOf[block] === name;
    return { errors: (found.data?.errors ?? []).filter(ofBlock), warnings: (found.data?.warnings ?? []).filter(ofBlock) };
  }, [found.data, name]);
  const [desks] = useState(() => new Map<string, InputDesk>());
  const versionId = version?.id ?? 0;
  const deskOf = (): InputDesk => {
    const key = `${ofProject(name) ? 0 : versionId} ${name} ${mayEdit}`;
    const desk =
      desks.get(key) ??
      makeInputDesk(name, mayEdit, {
        refusal,
        unreadable: (typed) => ({ code: "VALUE_FORMAT", cause: words("unreadable", { typed }) }),
        rowLock: { code: "ROW_KEY", cause: t("rows.locked") },
        somebody: words("rowConflict.somebody"),
        texts: {
          yes: common("yes"),
          no: common("no"),
          readOnly: { code: "NO_PERMISSION", cause: t(version?.status === "calculating" ? "rows.calculating" : "rows.lockedCell") },
        },
      });
    desks.set(key, desk);
    return desk;
  };
  const desk = version || ofProject(name) ? deskOf() : undefined;
  const isDirty = useDirtyDesks(desks, desk);
  const show = (next: BlockName, id: number) => {
    setName(next);
    window.history.replaceState(null, "", href("engineInputs", { query: { block: next, versionId: id } }));
  };
  const onChanged = useCallback(() => {
    void client.invalidateQueries({ queryKey: ["engine check", project] });
    if (ofProject(name)) void client.invalidateQueries({ queryKey: ["engine warehouses", project] });
  }, [client, name, project]);
  return (
    <>
      <PageBar
        edited={isDirty}
        tabs={blockNames.map((key) => ({ key, label: t(`blocks.${key}`) }))}
        tab={name}
        onTab={(key) => show(key as BlockName, versionId)}
      >
        {version ? (
          <Select
            size="xs"
            w={180}
            aria-label={t("version.open")}
            allowDeselect={false}
            data={versions.map(({ id, versionName }) => ({ value: String(id), label: versionName }))}
            value={String(version.id)}
            onChange={(id) => {
              const next = versions.find((one) => String(one.id) === id);
              if (!next) return;
              setVersion(next);
              show(name, next.id);
              void keepVersion(project, next.id);
            }}
          />
        ) : null}
      </PageBar>
      {desk ? (
        <InputTable
          key={`${versionId} ${name} ${mayEdit}`}
          name={name}
          versionId={versionId}
          desk={desk}
          mayEdit={mayEdit}
          warehouses={choices}
          check={check}
          onCheckAgain={found.isError && !found.data ? () => void found.refetch() : undefined}
          search={name === firstBlock ? search : ""}
          onChanged={onChanged}
          verbs={({ dirty, reload }) =>
            version ? (
              <>
                {name === "inventory" && mayEdit ? <SyncButton versionId={version.id} dirty={dirty} reload={reload} /> : null}
                <InputVerbs name={name} versionId={version.id} mayEdit={mayEdit} reload={reload} />
              </>
            ) : null
          }
        />
      ) : (
        <div className={listFrame.page}>
          <EmptyState title={t("inputs.noVersion")} text={t("inputs.noVersionText")}>
            <LinkButton href={href("planningEngine")}>{t("inputs.toHome")}</LinkButton>
          </EmptyState>
        </div>
      )}
    </>
  );
}
