import type { Column } from "#components/ui/data-table.tsx";
import { Tag, type Tone } from "#components/ui/status-tag.tsx";
import { roleName } from "#lib/core/format.ts";
import type { PoolTab, ResourceStatus } from "#lib/resources/pool/limits.ts";
import { authSpent, authState, daysUntil } from "#lib/resources/pool/logic.ts";
import type { Resource } from "#lib/resources/pool/queries.ts";
import classes from "./resources.module.css";

type Texts = (key: string, values?: Record<string, string | number>) => string;

const tones: Record<ResourceStatus, Tone> = { ACTIVE: "ok", PENDING: "warn", REJECTED: "danger", INACTIVE: "neutral" };

/** Whether a person can be planned with, and whether he is there: two dots with words for those who do not see them. */
export function Dots({ person, t }: { person: Pick<Resource, "availability" | "presence">; t: Texts }) {
  return (
    <span className={classes.dots}>
      <span
        role="img"
        data-on={person.availability}
        aria-label={t(`availability.${person.availability}`)}
        title={t(`availability.${person.availability}`)}
      />
      <span role="img" data-on={person.presence} aria-label={t(`presence.${person.presence}`)} title={t(`presence.${person.presence}`)} />
    </span>
  );
}

/** How much of an authorisation is over; its last month is amber, and what is over grey. */
export function AuthBar({ start, end, today, t }: { start: string | null; end: string | null; today: string; t: Texts }) {
  const state = authState(start, end, today);
  if (start === null || end === null) return <span className={classes.quiet}>{t("auth.NONE")}</span>;
  return (
    <span className={classes.auth} data-state={state} title={`${start} – ${end} · ${t(`auth.${state}`)}`}>
      <span className={classes.track} aria-hidden="true">
        <span style={{ width: `${Math.round(authSpent(start, end, today) * 100)}%` }} />
      </span>
      {end}
      {state === "ENDING" ? <span className={classes.left}>{t("auth.left", { count: daysUntil(today, end) })}</span> : null}
      {state === "EXPIRED" ? <span className={classes.left}>{t("auth.EXPIRED")}</span> : null}
    </span>
  );
}

/** Type and days of a visa; one that is over is red. */
export function Visa({ person, today }: { person: Pick<Resource, "visaType" | "visaEnd">; today: string }) {
  const over = person.visaEnd !== null && person.visaEnd < today;
  const text = [person.visaType, person.visaEnd].filter(Boolean).join(" · ");
  return <span className={over ? classes.over : undefined}>{text || "-"}</span>;
}

/** Columns of the list of people; a tab of companies shows them. [RES-09] */
export function poolColumns(t: Texts, tab: PoolTab, today: string): Column<Resource>[] {
  const company: Column<Resource>[] =
    tab === "OWN" || tab === "CUSTOMER"
      ? [{ key: "contractor", label: t("field.contractor"), width: 130 }]
      : [
          {
            key: "subcontractor",
            label: t("field.subcontractor"),
            width: 140,
            render: (person) => person.subcontractor ?? person.contractor ?? "-",
          },
        ];
  return [
    {
      key: "availability",
      label: t("field.here"),
      title: t("field.hereLong"),
      width: 56,
      render: (person) => <Dots person={person} t={t} />,
    },
    {
      key: "name",
      label: t("field.name"),
      width: 200,
      sortable: true,
      render: (person) => (
        <span className={classes.person} data-over={authState(person.authStart, person.authEnd, today) === "EXPIRED" || undefined}>
          {person.name}
          {person.dataOwner ? <Tag tone="info">{t("field.dataOwner")}</Tag> : null}
          {person.publicAccount ? <Tag>{t("field.publicAccount")}</Tag> : null}
        </span>
      ),
    },
    { key: "account", label: t("field.account"), width: 110, sortable: true },
    { key: "employeeId", label: t("field.employeeId"), width: 90 },
    { key: "type", label: t("field.type"), width: 90, sortable: true, render: (person) => t(`type.${person.type}`) },
    ...company,
    { key: "roles", label: t("field.roles"), width: 120, render: (person) => person.roles.map(roleName).join(", ") || "-" },
    {
      key: "authEnd",
      label: t("field.auth"),
      width: 210,
      sortable: true,
      render: (person) => <AuthBar start={person.authStart} end={person.authEnd} today={today} t={t} />,
    },
    { key: "visaEnd", label: t("field.visa"), width: 150, sortable: true, render: (person) => <Visa person={person} today={today} /> },
    {
      key: "skills",
      label: t("field.skills"),
      width: 160,
      render: (person) =>
        person.skills.length === 0 ? (
          "-"
        ) : (
          <span className={classes.skills}>
            {person.skills.map((skill) => (
              <span key={skill}>{skill}</span>
            ))}
          </span>
        ),
    },
    { key: "groups", label: t("field.groups"), width: 140, render: (person) => person.groups.map(({ name }) => name).join(", ") || "-" },
    {
      key: "status",
      label: t("field.status"),
      width: 90,
      sortable: true,
      render: (person) => <Tag tone={tones[person.status]}>{t(`state.${person.status}`)}</Tag>,
    },
  ];
}
