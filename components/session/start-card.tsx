"use client";
import { Select } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId } from "react";
import frame from "#components/ui/card.module.css";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { setDefaultProject } from "#lib/session/actions.ts";
import { projectPageMax } from "#lib/session/limits.ts";

type Entry = { number: string; name: string; isDefault: boolean };

/** The project that opens after sign-in. */
export function StartCard() {
  const t = useTranslations("session.preferences");
  const client = useQueryClient();
  const id = useId();
  const [save, saving] = useAction(setDefaultProject);
  const list = useQuery({
    // In the second place alone stands any word somebody looks for.
    queryKey: ["projects", "", "all"],
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<{ records: Entry[] }>("personal/getProjectList/list", { page: 1, size: projectPageMax }, { signal })).records,
  });
  const choose = async (projectNumber: string | null) => {
    if (!projectNumber) return;
    const answer = await save({ projectNumber });
    if (answer.status >= 400) toast.problem(answer.msg ?? t("failed"));
    else toast.done(t("saved"));
    await client.invalidateQueries({ queryKey: ["projects"] });
  };
  return (
    <section className={frame.card} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t("start.title")}</h2>
      {list.isError ? (
        <ErrorPanel title={t("start.failed")} failed={list.error} onRetry={() => list.refetch()} />
      ) : (
        <Field label={t("start.project")} id={`${id}-project`} width={360} help={t("start.help")}>
          <Select
            id={`${id}-project`}
            searchable
            allowDeselect={false}
            disabled={list.isPending || saving}
            placeholder={list.isPending ? undefined : t("start.none")}
            data={(list.data ?? []).map(({ number, name }) => ({ value: number, label: `${name} (${number})` }))}
            value={list.data?.find((entry) => entry.isDefault)?.number ?? null}
            onChange={choose}
          />
        </Field>
      )}
    </section>
  );
}
