"use client";
import { Select } from "@mantine/core";
import { IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field } from "#components/ui/field.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useScreenTitle } from "#components/ui/use-screen.ts";
import type { Verdict } from "#lib/access/matrix/logic.ts";
import type { Why } from "#lib/access/matrix/queries.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { roleName } from "#lib/core/format.ts";
import { type PermissionCode, permissions } from "#lib/permissions.ts";
import { screens } from "#lib/screens.ts";
import classes from "./access.module.css";
import { type Person, PersonField } from "./person-field.tsx";

const codes = Object.keys(permissions) as PermissionCode[];
const named = screens.filter((screen) => !screen.redirect && !screen.aliasOf);
const choicesShown = 60;

/** Why somebody has a right or may open a screen, or not: role, project's word, delegation, ownership, and whom to ask. */
export function WhyPanel() {
  const t = useTranslations("access.why");
  const meaning = useTranslations("access.codes");
  const title = useScreenTitle();
  const project = useProjectNumber();
  const id = useId();
  const [person, setPerson] = useState<Person | null>(null);
  const [target, setTarget] = useState<string | null>(null);
  const asked = target?.startsWith("screen:") ? { screen: target.slice(7) } : { code: target ?? "" };
  const why = useQuery({
    queryKey: ["why", project, person?.id, target],
    enabled: person !== null && target !== null,
    queryFn: async ({ signal }) => dataOf(await callDoor<Why>("rolePermission/why", { userId: person?.id, ...asked }, { signal })),
  });
  return (
    <aside className={classes.side} aria-labelledby={`${id}-title`} data-scroll>
      <h2 id={`${id}-title`}>{t("title")}</h2>
      <Field label={t("person")} id={`${id}-person`}>
        <PersonField id={`${id}-person`} among="directory" value={person} onChange={setPerson} />
      </Field>
      <Field label={t("target")} id={`${id}-target`}>
        <Select
          id={`${id}-target`}
          searchable
          clearable
          limit={choicesShown}
          data={[
            { group: t("rights"), items: codes.map((code) => ({ value: code, label: `${meaning(code)} (${code})` })) },
            { group: t("screens"), items: named.map((screen) => ({ value: `screen:${screen.key}`, label: title(screen.key) })) },
          ]}
          value={target}
          onChange={setTarget}
        />
      </Field>
      <div aria-live="polite" aria-busy={why.isFetching} className={classes.form}>
        {why.isError ? (
          <ErrorPanel title={t("failed")} failed={why.error} onRetry={() => why.refetch()} />
        ) : !person || !target ? (
          <p className={classes.note}>{t("hint")}</p>
        ) : why.data ? (
          <Answer why={why.data} />
        ) : null}
      </div>
    </aside>
  );
}

function Answer({ why }: { why: Why }) {
  const t = useTranslations("access.why");
  const access = useTranslations("access");
  const { name, active } = why.person;
  const counted = why.roles.some((role) => role.state === "valid" || role.state === "ending");
  const idle = why.roles.filter((role) => role.state === "ended" || role.state === "future");
  return (
    <>
      {why.screen ? <Judgement yes={why.screen.opens} text={t(why.screen.opens ? "opens" : "closed", { name })} /> : null}
      {why.screen?.forMembers ? <p className={classes.note}>{t("members")}</p> : null}
      {active ? null : <p className={classes.note}>{t("off")}</p>}
      {active && !counted ? <p className={classes.note}>{t("noRole")}</p> : null}
      {why.verdicts.map((verdict) => (
        <Reasons key={verdict.code} verdict={verdict} why={why} />
      ))}
      {idle.length > 0 ? (
        <ul className={classes.reasons}>
          {idle.map((role) => (
            <li key={role.role} className={classes.old}>
              {t("inactive", { role: roleName(role.role), state: access(`states.${role.state}`) })}
            </li>
          ))}
        </ul>
      ) : null}
      {why.ask.length > 0 ? (
        <div>
          <h3 className={classes.note}>{t("ask")}</h3>
          <ul className={classes.reasons}>
            {why.ask.map((person) => (
              <li key={person.account}>
                <a href={`mailto:${person.email}`}>{person.name}</a> {person.roles.map(roleName).join(", ")}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </>
  );
}

function Judgement({ yes, text }: { yes: boolean; text: string }) {
  const Icon = yes ? IconCircleCheck : IconCircleX;
  return (
    <p className={classes.verdict} data-tone={yes ? "ok" : "no"}>
      <Icon size={16} stroke={1.4} aria-hidden="true" />
      {text}
    </p>
  );
}

function Reasons({ verdict, why }: { verdict: Verdict; why: Why }) {
  const t = useTranslations("access.why");
  const matrix = useTranslations("access.matrix");
  const meaning = useTranslations("access.codes");
  const { name } = why.person;
  const derived = new Set(why.roles.filter((role) => role.derived).map((role) => role.role));
  return (
    <div className={classes.form}>
      <p className={classes.note}>
        {meaning(verdict.code)}
        <span className={classes.code}>{verdict.code}</span>
      </p>
      <Judgement yes={verdict.held} text={t(verdict.held ? (verdict.all ? "yes" : "own") : "no", { name })} />
      <ul className={classes.reasons}>
        {verdict.reasons.map(({ role, grant, fromProject, byDefault }) => {
          const sides = [
            ...(derived.has(role) ? [t("derived")] : []),
            ...(fromProject ? [t("byProject", { grant: matrix(byDefault || "none") })] : []),
          ];
          return (
            <li key={role}>
              {grant ? t("gives", { role: roleName(role), grant: matrix(grant) }) : t("lacks", { role: roleName(role) })}
              {sides.length > 0 ? <span className={classes.code}>{sides.join(" · ")}</span> : null}
            </li>
          );
        })}
        {verdict.byDelegation
          ? why.delegations.map(({ role, from, validTo }) => (
              <li key={`${role} ${from}`}>{t("byDelegation", { from, role: roleName(role), date: validTo })}</li>
            ))
          : null}
        {verdict.restricting ? <li>{t("restricting")}</li> : null}
        {verdict.held ? null : (
          <li>
            {verdict.givers.length > 0
              ? t("givers", { roles: verdict.givers.map(({ role }) => roleName(role)).join(", ") })
              : t("noGivers")}
          </li>
        )}
      </ul>
    </div>
  );
}
