"use client";
import { Button, MultiSelect, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { useExport } from "#components/ui/use-export.ts";
import { refreshList } from "#components/ui/use-list.ts";
import { useSearchText } from "#components/ui/use-search-text.ts";
import { searchCondition } from "#lib/activity-flows/binding/logic.ts";
import type { Filter } from "#lib/core/paging.ts";
import { saveDuOwners } from "#lib/owners/du-owners/actions.ts";
import { type DuOwnerKind, duOwnerKinds, ownerDusMax } from "#lib/owners/du-owners/limits.ts";
import type { DuOwnersRow } from "#lib/owners/du-owners/queries.ts";
import classes from "./owners.module.css";
import { type Group, OwnersDialog } from "./owners-dialog.tsx";
import { PersonChips } from "./person-chips.tsx";
import { useRegions } from "./use-regions.ts";

const address = "duConfig/list";
const typingMs = 300;
/** DUs whose owners are set; `saved` are the accounts that were saved since they were read. */
type Chosen = { rows: DuOwnersRow[]; saved: ReadonlyMap<string, readonly string[]>; clear: () => void };

const placeOf = ({ duId, ownerKind }: { duId: number; ownerKind: DuOwnerKind }) => `${duId} ${ownerKind}`;

/** DUs with their owners of each kind; one or many are set at once. [OWN-10] */
export function DusTab({ mayEdit }: { mayEdit: boolean }) {
  const t = useTranslations("owners");
  const common = useTranslations("common");
  const client = useQueryClient();
  const [text, setText] = useState("");
  const { take, onPaste } = useSearchText(setText);
  const [typed] = useDebouncedValue(text, typingMs);
  const searched = useMemo(() => searchCondition(typed), [typed]);
  const [ofRegions, setRegions] = useState<string[]>([]);
  const [blank, setBlank] = useState<string[]>([]);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [startExport, exporting] = useExport("duConfig/export");
  const regions = useRegions();
  const filters = useMemo<Filter[]>(
    () => [
      ...(searched ? [searched] : []),
      ...(ofRegions.length > 0 ? [{ field: "regionId", type: "in" as const, values: ofRegions.map(Number) }] : []),
      ...(blank.length > 0 ? [{ field: "blank", type: "in" as const, values: blank }] : []),
    ],
    [searched, ofRegions, blank],
  );
  const columns: Column<DuOwnersRow>[] = [
    { key: "code", label: t("column.du"), width: 150, sortable: true },
    { key: "name", label: t("column.duName"), width: 200, sortable: true },
    { key: "region", label: t("column.region"), width: 140, sortable: true, render: ({ region }) => region ?? "-" },
    ...duOwnerKinds.map(
      (kind): Column<DuOwnersRow> => ({
        key: kind,
        label: t(`sheet.${kind}`),
        wrap: true,
        render: ({ owners }) => <PersonChips people={owners[kind]} />,
      }),
    ),
  ];
  const rows = chosen?.rows ?? [];
  const [only] = rows.length === 1 ? rows : [];
  return (
    <>
      <DataTable<DuOwnersRow>
        label={t("dus.label")}
        address={address}
        rowKey={({ duId }) => duId}
        columns={columns}
        filters={filters}
        sort={{ field: "code", dir: "asc" }}
        bar={
          <search className={classes.bar}>
            <TextInput
              size="xs"
              w={220}
              aria-label={t("dus.search")}
              placeholder={t("dus.search")}
              value={text}
              onChange={(event) => take(event.currentTarget.value)}
              onPaste={onPaste}
            />
            <MultiSelect
              size="xs"
              w={200}
              aria-label={t("dus.region")}
              placeholder={ofRegions.length === 0 ? t("column.region") : undefined}
              clearable
              clearButtonProps={{ "aria-label": common("clear") }}
              data={regions.map(({ id, name }) => ({ value: String(id), label: name }))}
              value={ofRegions}
              onChange={setRegions}
            />
            <MultiSelect
              size="xs"
              w={200}
              aria-label={t("dus.blank")}
              placeholder={blank.length === 0 ? t("dus.blank") : undefined}
              clearable
              clearButtonProps={{ "aria-label": common("clear") }}
              data={duOwnerKinds.map((kind) => ({ value: kind, label: t(`sheet.${kind}`) }))}
              value={blank}
              onChange={setBlank}
            />
            <Button variant="subtle" color="gray" loading={exporting} onClick={() => void startExport({ filters })}>
              {common("export")}
            </Button>
          </search>
        }
        {...(mayEdit
          ? {
              onOpen: (row: DuOwnersRow) => setChosen({ rows: [row], saved: new Map(), clear: () => {} }),
              batch: (picked: DuOwnersRow[], clear: () => void) => (
                <Button
                  disabled={picked.length > ownerDusMax}
                  title={picked.length > ownerDusMax ? t("dus.tooMany", { max: ownerDusMax }) : undefined}
                  onClick={() => setChosen({ rows: picked, saved: new Map(), clear })}
                >
                  {t("dus.set")}
                </Button>
              ),
            }
          : {})}
        empty={<EmptyState title={filters.length > 0 ? undefined : t("dus.empty")} />}
      />
      <OwnersDialog
        opened={chosen !== null}
        title={only ? only.code : t("dus.setTitle", { count: rows.length })}
        choose={only === undefined}
        groups={duOwnerKinds.map((kind): Group => ({ key: kind, label: t(`sheet.${kind}`), people: only?.owners[kind] ?? [] }))}
        action={saveDuOwners}
        rowsOf={(changed) =>
          rows.flatMap(({ duId, owners }) =>
            changed.map(({ key, accounts }) => {
              const ownerKind = key as DuOwnerKind;
              const saved = chosen?.saved.get(placeOf({ duId, ownerKind }));
              return { duId, ownerKind, accounts, base: [...(saved ?? owners[ownerKind].map(({ account }) => account))] };
            }),
          )
        }
        nameOf={({ duId, ownerKind }) => `${rows.find((row) => row.duId === duId)?.code ?? duId} ${t(`sheet.${ownerKind}`)}`}
        onSaved={(sent, failed) => {
          const refused = new Set(failed.map(placeOf));
          const saved = sent.flatMap((row) => (refused.has(placeOf(row)) ? [] : [[placeOf(row), row.accounts] as const]));
          if (failed.length === 0) chosen?.clear();
          else setChosen((before) => before && { ...before, saved: new Map([...before.saved, ...saved]) });
          return refreshList(client, address);
        }}
        onClose={() => setChosen(null)}
      />
    </>
  );
}
