"use client";
import { TextInput } from "@mantine/core";
import { IconStar, IconStarFilled } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useDeferredValue, useState } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { toast } from "#components/ui/toast.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { roleName } from "#lib/core/format.ts";
import { href } from "#lib/core/href.ts";
import headerClasses from "./header.module.css";
import classes from "./project-switcher.module.css";

type Entry = { number: string; name: string; roles: string[]; isDefault: boolean; lastAccessed: string | null };

/** The list of the person's projects: found by number or name, recent ones first, a star for the one to start with. */
export function ProjectChoice({ onChosen }: { onChosen: () => void }) {
  const t = useTranslations("shell");
  const { project } = useSession();
  const client = useQueryClient();
  const [text, setText] = useState("");
  const keyword = useDeferredValue(text.trim());
  const list = useQuery({
    queryKey: ["projects", keyword],
    queryFn: async ({ signal }) =>
      dataOf(
        await callDoor<{ records: Entry[]; total: number }>(
          "personal/getProjectList/list",
          { ...(keyword ? { keyword } : {}), page: 1, size: 50 },
          { signal },
        ),
      ),
  });
  const makeDefault = async (entry: Entry) => {
    const answer = await callDoor("personal/setDefaultProject", { projectNumber: entry.number }, { projectNumber: entry.number });
    if (answer.status >= 400) toast.problem(answer.msg ?? t("failed"));
    else await client.invalidateQueries({ queryKey: ["projects"] });
  };
  return (
    <>
      <TextInput
        data-autofocus
        placeholder={t("projects.search")}
        aria-label={t("projects.search")}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {list.isError && !list.data ? <ErrorPanel title={t("projects.failed")} failed={list.error} onRetry={() => list.refetch()} /> : null}
      <ul className={classes.list} aria-busy={list.isFetching}>
        {(list.data?.records ?? []).map((entry) => (
          <li key={entry.number} className={classes.entry} data-current={entry.number === project.number || undefined}>
            <Link
              href={href("rolloutPlan", {}, entry.number)}
              prefetch={false}
              className={classes.link}
              aria-current={entry.number === project.number ? "true" : undefined}
              onClick={onChosen}
            >
              <span className={classes.name}>{entry.name}</span>
              <span className={classes.facts}>
                {entry.number} · {entry.roles.map(roleName).join(", ")}
              </span>
            </Link>
            <button
              type="button"
              className={classes.star}
              aria-pressed={entry.isDefault}
              aria-label={t("projects.default", { name: entry.name })}
              title={t("projects.defaultHint")}
              onClick={() => makeDefault(entry)}
            >
              {entry.isDefault ? <IconStarFilled size={14} /> : <IconStar size={14} stroke={1.4} />}
            </button>
          </li>
        ))}
        {list.isSuccess && list.data.records.length === 0 ? <li className={headerClasses.none}>{t("projects.none")}</li> : null}
      </ul>
    </>
  );
}
