"use client";
import { Switch } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useCallback, useState } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { formatMoment } from "#lib/core/format.ts";
import { saveSwitches } from "#lib/settings/actions.ts";
import { type SwitchKey, switchKeys } from "#lib/settings/limits.ts";
import type { SwitchBoard } from "#lib/settings/queries.ts";
import { ClosingCard } from "./closing-card.tsx";
import { SettingDialog } from "./setting-dialog.tsx";
import classes from "./settings.module.css";

/** Name of a switch in the messages, where a dot would begin a new level. */
const textKey = (key: SwitchKey) => key.replace(".", "-");

/** The switches of the project: what each does, whom it concerns, and since when. A change is asked for first, because it concerns everybody. */
export function DataControlPage() {
  const t = useTranslations("settings");
  const project = useProjectNumber();
  const { can, offset } = useSession();
  const client = useQueryClient();
  const router = useRouter();
  const key = ["switches", project];
  const board = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => dataOf(await callDoor<SwitchBoard>("dataControl/find", {}, { signal })),
    retry: false,
  });
  const [asked, setAsked] = useState<{ key: SwitchKey; on: boolean } | null>(null);
  const [save, saving] = useAction(saveSwitches);

  const close = useCallback(() => setAsked(null), []);
  const turn = async ({ key: name, on }: { key: SwitchKey; on: boolean }) => {
    const rowVersion = board.data?.switches[name].rowVersion ?? 0;
    const answer = await save({ switches: { [name]: on ? "Y" : "N" }, rowVersions: { [name]: rowVersion } });
    await client.invalidateQueries({ queryKey: key });
    // The shell knows what lists may offer.
    if (name === "page.rows500") router.refresh();
    return answer.status < 400
      ? { saved: t("switches.saved", { time: formatMoment(answer.data?.switches[name].obeyedBy, offset).slice(11) }) }
      : { refused: answer.msg ?? String(answer.code) };
  };

  return (
    <>
      <PageBar />
      <div className={classes.page}>
        {board.isError ? (
          <ErrorPanel title={t("switches.failed")} failed={board.error} onRetry={() => board.refetch()} />
        ) : (
          <ul className={classes.switches} aria-label={t("switches.label")} aria-busy={board.isPending}>
            {switchKeys.map((name) => {
              const state = board.data?.switches[name];
              const recent = state?.obeyedBy && new Date(state.obeyedBy).getTime() > Date.now();
              return (
                <li key={name} className={classes.card}>
                  <Switch
                    classNames={{ track: classes.track ?? "" }}
                    checked={state?.on ?? false}
                    disabled={!state || saving}
                    label={t(`switch.${textKey(name)}.name`)}
                    description={t(`switch.${textKey(name)}.text`)}
                    onChange={(event) => setAsked({ key: name, on: event.currentTarget.checked })}
                  />
                  <p className={classes.note}>
                    {board.data ? t(`switch.${textKey(name)}.affected`, board.data.affected) : null}
                    <span>
                      {recent
                        ? t("switches.takesEffect", { time: formatMoment(state.obeyedBy, offset).slice(11) })
                        : state?.updatedAt
                          ? t("switches.changed", { name: state.updatedBy ?? "-", time: formatMoment(state.updatedAt, offset) })
                          : state
                            ? t("switches.never")
                            : null}
                    </span>
                  </p>
                </li>
              );
            })}
          </ul>
        )}
        {can("project.close") ? <ClosingCard /> : null}
      </div>
      {asked ? (
        <SettingDialog
          title={t("switches.confirmTitle")}
          verb={t("switches.confirmVerb", { count: 1 })}
          save={() => turn(asked)}
          onClose={close}
        >
          <p>{t("switches.confirmText", { project })}</p>
          <p className={classes.strong}>
            {t(asked.on ? "switches.confirmOn" : "switches.confirmOff", { name: t(`switch.${textKey(asked.key)}.name`) })}
          </p>
        </SettingDialog>
      ) : null}
    </>
  );
}
