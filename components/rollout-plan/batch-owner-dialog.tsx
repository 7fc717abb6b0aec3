"use client";

import { MultiSelect, SegmentedControl } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { type OwnerKind, ownerKinds, ownerModes } from "#lib/rollout-plan/batches/limits.ts";
import { ownersMax } from "#lib/rollout-plan/plan-rows/limits.ts";
import { ActivityChoices, BatchFrame, type BatchProps, BatchReason, useBatch } from "./batch-frame.tsx";
import styles from "./dialogs.module.css";
import type { PeopleBook } from "./plan-people.ts";

type Mode = (typeof ownerModes)[number];
const kinds = Object.keys(ownerKinds) as OwnerKind[];
const typingMs = 200;

type Props = BatchProps & { people: PeopleBook; kind?: OwnerKind | undefined };

/** Sets, adds or takes out owners in some activities of the chosen DUs: says what would happen first. */
export function BatchOwnerDialog({ people, kind, ...props }: Props) {
  const { duIds, activities, preset } = props;
  const t = useTranslations("plan-grid");
  const project = useProjectNumber();
  const batch = useBatch("rolloutPlan/batch/setOwner");
  const { outdated } = batch;
  const [chosen, setChosen] = useState<readonly number[]>(
    activities.length === 1 ? activities.map((activity) => activity.activityId) : preset,
  );
  const [of, setOf] = useState<readonly OwnerKind[]>([kind ?? "plan"]);
  const [mode, setMode] = useState<Mode>("set");
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [onlyEmpty, setOnlyEmpty] = useState(false);
  const [reason, setReason] = useState("");
  const [text, setText] = useState("");
  const [word] = useDebouncedValue(text, typingMs);
  const found = useQuery({
    queryKey: ["plan people", project, word],
    queryFn: ({ signal }) => people.search(word, signal),
    meta: lookup,
  });
  const options = new Map([
    ...picked.map((id): [string, string] => [id, people.name(Number(id))]),
    ...(found.data ?? []).map((person): [string, string] => [
      String(person.id),
      person.account ? `${person.name} (${person.account})` : person.name,
    ]),
  ]);

  const isEdited = useEdited([chosen, of, mode, picked, onlyEmpty, reason]);
  const run = async (asPreview: boolean) => {
    const input = {
      duIds,
      activityIds: chosen,
      kinds: of,
      mode,
      value: picked.map(Number),
      onlyEmpty: mode === "remove" ? false : onlyEmpty,
      ...(reason.trim() ? { reason: reason.trim() } : {}),
    };
    const answer = await batch.run(input, asPreview);
    if (!answer || asPreview) return;
    const names = people.names(picked.map(Number)) || t("owners.nobody");
    const what = t(`owners.told.${mode}`, { field: of.map((given) => t(`owners.${given}`)).join(", "), value: names });
    props.onApplied(answer, t("batch.note", { dus: duIds.length, activities: chosen.length, what }));
  };
  return (
    <BatchFrame
      {...props}
      title={t("owners.title", { count: duIds.length })}
      batch={batch}
      isEdited={isEdited}
      complete={chosen.length > 0 && of.length > 0 && (mode === "set" || picked.length > 0)}
      onPreview={() => void run(true)}
      onApply={() => void run(false)}
    >
      <ActivityChoices activities={activities} chosen={chosen} onChange={outdated(setChosen)} />
      <div className={styles.pair}>
        <fieldset className={styles.plain}>
          <legend className={styles.legend}>{t("owners.kinds")}</legend>
          <div className={styles.pair}>
            {kinds.map((given) => (
              <label key={given} className={styles.check}>
                <input
                  type="checkbox"
                  checked={of.includes(given)}
                  onChange={(event) =>
                    outdated(setOf)(event.currentTarget.checked ? [...of, given] : of.filter((other) => other !== given))
                  }
                />
                {t(`owners.${given}`)}
              </label>
            ))}
          </div>
        </fieldset>
        <span className={styles.grow} />
        <SegmentedControl
          aria-label={t("batch.mode")}
          value={mode}
          onChange={(next) => outdated(setMode)(next as Mode)}
          data={ownerModes.map((given) => ({ value: given, label: t(`owners.${given}`) }))}
        />
      </div>
      <MultiSelect
        label={t("owners.people")}
        description={mode === "set" && picked.length === 0 ? t("owners.emptyClears") : undefined}
        placeholder={picked.length === 0 ? t("filter.findPerson") : ""}
        searchable
        clearable
        hidePickedOptions
        maxValues={ownersMax}
        value={[...picked]}
        onChange={outdated((next: string[]) => setPicked(next))}
        searchValue={text}
        onSearchChange={setText}
        // The server has searched already, by account too.
        filter={({ options: given }) => given}
        nothingFoundMessage={found.isSuccess ? t("people.none") : undefined}
        data={[...options].map(([value, label]) => ({ value, label }))}
        comboboxProps={{ withinPortal: false }}
      />
      {mode !== "remove" && (
        <label className={styles.check}>
          <input type="checkbox" checked={onlyEmpty} onChange={(event) => outdated(setOnlyEmpty)(event.currentTarget.checked)} />
          {t("owners.onlyEmpty")}
        </label>
      )}
      <BatchReason value={reason} onChange={outdated(setReason)} />
    </BatchFrame>
  );
}
