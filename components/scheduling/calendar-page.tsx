"use client";
import { ActionIcon, Button, Checkbox, Select } from "@mantine/core";
import { IconChevronLeft, IconChevronRight, IconDownload, IconUpload } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import { useEffect, useMemo, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { toast } from "#components/ui/toast.ts";
import { useUnsaved } from "#components/ui/unsaved.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { CallError, dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { firstDay, isoDay, lastDay, projectToday } from "#lib/core/clock.ts";
import { saveCalendar } from "#lib/scheduling/calendar/actions.ts";
import type { CalendarSettings } from "#lib/scheduling/calendar/queries.ts";
import classes from "./calendar.module.css";
import { CopyDialog } from "./calendar-copy.tsx";
import { type CalendarDraft, toggleDay } from "./calendar-days.ts";
import { ExceptionList, PasteDialog } from "./calendar-exceptions.tsx";
import { HolidayPanel, useTakeover } from "./calendar-holidays.tsx";
import { CalendarYear } from "./calendar-year.tsx";

/** A calendar as it is edited, and the revision of the one that was edited. */
type Edited = { draft: CalendarDraft; rowVersion: number | null };
type Region = { id: number; name: string; own: boolean };

const firstYear = Number(isoDay(firstDay)!.slice(0, 4));
const lastYear = Number(isoDay(lastDay)!.slice(0, 4));

function draftOf(settings: CalendarSettings): CalendarDraft {
  const named = (working: boolean) => (given: { day: string; name: string | null }) =>
    [given.day, { working, name: given.name ?? "" }] as const;
  return {
    weekdays: new Set(settings.weekdays),
    days: new Map([...settings.holidays.map(named(false)), ...settings.extraWorkdays.map(named(true))]),
  };
}

/** Working calendars of the project and its regions, a year at a time. */
export function CalendarPage({ regions, region = null }: { regions: readonly Region[]; region?: number | null }) {
  const t = useTranslations("scheduling.calendar");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const href = useHref();
  const { offset, can } = useSession();
  const client = useQueryClient();
  const today = projectToday(new Date(), offset);
  const [regionId, setRegionId] = useState<number | null>(region);
  const [own, setOwn] = useState<ReadonlySet<number>>(() => new Set(regions.filter((region) => region.own).map(({ id }) => id)));
  const [year, setYear] = useState(Number(today.slice(0, 4)));
  const [edited, setEdited] = useState<Edited | null>(null);
  const [pasting, setPasting] = useState(false);
  const [copying, setCopying] = useState(false);
  const [dropping, setDropping] = useState(false);
  const [problem, setProblem] = useState<{ text: string; stale: boolean } | null>(null);
  const [save, saving] = useAction(saveCalendar);
  const key = ["work-calendar", project, regionId];
  const found = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<CalendarSettings>("commomUtil/findCalendarSetData", regionId === null ? {} : { regionId }, { signal })),
    retry: false,
    // An import may have changed it since.
    refetchOnMount: "always",
  });
  const settings = found.data;
  const shown = useMemo(() => edited?.draft ?? (settings ? draftOf(settings) : null), [edited, settings]);
  const takeover = useTakeover(shown);
  useUnsaved(edited !== null);
  // Another calendar begins without the edits of the one before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the choice of the calendar alone
  useEffect(() => {
    setEdited(null);
    setProblem(null);
  }, [regionId]);

  const mayEdit = can("calendar.edit");
  // A region that follows the project is looked at; it is edited once it has been given its own.
  const follows = regionId !== null && settings?.inherited === true && edited === null;
  const readOnly = !mayEdit || follows || !settings;
  const rowVersion = edited ? edited.rowVersion : (settings?.rowVersion ?? null);
  const edit = (draft: CalendarDraft) => {
    setEdited({ draft, rowVersion });
    setProblem(null);
  };
  const refuse = ({ code, problems, msg }: Awaited<ReturnType<typeof save>>) => {
    const stale = code === "STALE";
    setProblem({ text: stale ? t("stale") : (problems?.[0]?.msg ?? msg ?? String(code)), stale });
  };
  const finish = async (text: string, has: boolean) => {
    setProblem(null);
    toast.done(text);
    if (regionId !== null) setOwn((before) => new Set([...before].filter((id) => id !== regionId).concat(has ? regionId : [])));
    await client.invalidateQueries({ queryKey: ["work-calendar", project] });
  };
  const store = async () => {
    if (!shown) return;
    const days = [...shown.days].map(([day, { working, name }]) => ({ day, working, name: name || null }));
    const answer = await save({ regionId, weekdays: [...shown.weekdays].sort(), days, rowVersion });
    if (answer.status >= 400 || !answer.data) return refuse(answer);
    const saved = answer.data.rowVersion;
    // What was changed while the save ran stays, upon what was saved.
    setEdited((now) => now && { ...now, rowVersion: saved });
    await finish(t("saved"), true);
    setEdited((now) => (now?.draft === shown ? null : now));
  };
  const drop = async () => {
    if (regionId === null || !settings) return;
    const answer = await save({ regionId, inherit: true, rowVersion });
    if (answer.status >= 400) return refuse(answer);
    setEdited(null);
    await finish(t("dropped"), false);
  };
  const load = async () => {
    const { error } = await found.refetch();
    if (error) return setProblem({ text: (error instanceof CallError ? error.answer.msg : null) ?? t("failed"), stale: true });
    setEdited(null);
    setProblem(null);
  };

  const startExport = async () => {
    const answer = signalAnswer(await callDoor("commomUtil/exportCalendarSetData", { regionId }));
    if (answer.status >= 400) toast.problem(answer.msg ?? String(answer.code));
    else toast.done(t("exportStarted"), { actions: [{ label: t("show"), run: () => window.location.assign(href("exports")) }] });
  };
  const sources = [
    ...(regionId === null ? [] : [{ regionId: null, name: t("project") }]),
    ...regions.filter(({ id }) => id !== regionId && own.has(id)).map(({ id, name }) => ({ regionId: id, name })),
  ];
  const copyButton = sources.length > 0 ? <Button onClick={() => setCopying(true)}>{t("copy.title")}</Button> : null;

  return (
    <>
      <PageBar edited={edited !== null}>
        {mayEdit ? (
          <LinkButton
            href={href("workCalendars", { query: { import: "calendar", region: regionId === null ? null : String(regionId) } })}
            icon={<IconDownload size={16} stroke={1.4} aria-hidden="true" />}
          >
            {t("import")}
          </LinkButton>
        ) : null}
        <Button leftSection={<IconUpload size={16} stroke={1.4} />} disabled={edited !== null} onClick={startExport}>
          {t("export")}
        </Button>
        {regionId !== null && settings && !settings.inherited && mayEdit ? (
          <Button onClick={() => setDropping(true)}>{t("dropOwn")}</Button>
        ) : null}
        {follows && mayEdit && settings ? (
          <>
            {copyButton}
            <Button variant="filled" onClick={() => edit(draftOf(settings))}>
              {t("makeOwn")}
            </Button>
          </>
        ) : null}
        {edited !== null ? <Button onClick={() => setEdited(null)}>{common("reset")}</Button> : null}
        {mayEdit && !follows ? (
          <Button variant="filled" disabled={edited === null || takeover.choice !== null} loading={saving} onClick={store}>
            {t("save")}
          </Button>
        ) : null}
      </PageBar>
      <div className={classes.page} aria-busy={found.isPending}>
        <div className={classes.bar}>
          <Select
            label={t("scope")}
            w={280}
            allowDeselect={false}
            disabled={edited !== null || takeover.choice !== null}
            data={[
              { value: "", label: t("project") },
              ...regions.map(({ id, name }) => ({ value: String(id), label: own.has(id) ? t("ownMark", { name }) : name })),
            ]}
            value={regionId === null ? "" : String(regionId)}
            onChange={(value) => setRegionId(value ? Number(value) : null)}
          />
          <fieldset className={classes.stepper} aria-label={t("year")}>
            <ActionIcon aria-label={t("previousYear")} disabled={year <= firstYear} onClick={() => setYear(year - 1)}>
              <IconChevronLeft size={16} stroke={1.4} />
            </ActionIcon>
            <strong aria-live="polite">{year}</strong>
            <ActionIcon aria-label={t("nextYear")} disabled={year >= lastYear} onClick={() => setYear(year + 1)}>
              <IconChevronRight size={16} stroke={1.4} />
            </ActionIcon>
          </fieldset>
          {shown ? <Weekdays draft={shown} readOnly={readOnly || takeover.choice !== null} onChange={edit} /> : null}
        </div>
        <p className={classes.note}>
          {!mayEdit ? <span>{t("readOnly")}</span> : follows ? null : <span>{t("hint")}</span>}
          {settings?.inherited ? (
            <span>{t(settings.calendarId === null ? "standard" : regionId === null ? "standard" : "inherited")}</span>
          ) : null}
          {settings && settings.duCount !== null ? <span>{t("usedBy", { count: settings.duCount })}</span> : null}
          <span className={classes.legend}>
            {(["working", "free", "exception"] as const).map((state) => (
              <span key={state}>
                <i data-state={state} aria-hidden="true" />
                {t(`legend.${state}`)}
              </span>
            ))}
          </span>
        </p>
        {problem ? (
          <p className={classes.refusal} role="alert">
            {problem.text}{" "}
            {problem.stale ? (
              <Button variant="subtle" size="compact-xs" onClick={load}>
                {t("load")}
              </Button>
            ) : null}
          </p>
        ) : null}
        {found.isError && !settings ? (
          <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => found.refetch()} />
        ) : shown ? (
          <div className={classes.columns} aria-busy={found.isFetching}>
            <CalendarYear
              year={year}
              draft={takeover.preview ?? shown}
              today={today}
              readOnly={readOnly || takeover.choice !== null}
              onToggle={(day) => edit(toggleDay(shown, day))}
            />
            {takeover.choice ? (
              <HolidayPanel takeover={takeover} draft={shown} onTake={edit} onYear={setYear} />
            ) : (
              <ExceptionList year={year} draft={shown} readOnly={readOnly} onChange={edit}>
                <Button onClick={() => takeover.open(year)}>{t("takeover.title")}</Button>
                <Button onClick={() => setPasting(true)}>{t("paste")}</Button>
                {copyButton}
              </ExceptionList>
            )}
          </div>
        ) : null}
      </div>
      <PasteDialog
        opened={pasting}
        onClose={() => setPasting(false)}
        onTake={(days) =>
          shown && edit({ ...shown, days: new Map([...shown.days, ...days.map(({ day, ...rest }) => [day, rest] as const)]) })
        }
      />
      <CopyDialog
        sources={sources}
        opened={copying}
        isEdited={edited !== null}
        onClose={() => setCopying(false)}
        onCopy={(copied) => edit(draftOf(copied))}
      />
      <Confirm opened={dropping} verb={t("dropVerb")} danger onConfirm={drop} onClose={() => setDropping(false)}>
        {t("dropText")}
      </Confirm>
    </>
  );
}

type Part = { draft: CalendarDraft; readOnly: boolean; onChange: (draft: CalendarDraft) => void };

function Weekdays({ draft, readOnly, onChange }: Part) {
  const t = useTranslations("scheduling.calendar");
  const locale = useLocale();
  const name = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });
  return (
    <fieldset className={classes.weekdays}>
      <legend>{t("weekdays")}</legend>
      {[0, 1, 2, 3, 4, 5, 6].map((day) => (
        <Checkbox
          key={day}
          size="xs"
          classNames={{ label: classes.check ?? "" }}
          label={name.format(new Date(Date.UTC(2023, 0, 1 + day)))}
          disabled={readOnly}
          checked={draft.weekdays.has(day)}
          onChange={(event) => {
            const weekdays = new Set(draft.weekdays);
            if (event.currentTarget.checked) weekdays.add(day);
            else weekdays.delete(day);
            onChange({ ...draft, weekdays });
          }}
        />
      ))}
    </fieldset>
  );
}
