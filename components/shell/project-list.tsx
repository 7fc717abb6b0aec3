import { getTranslations } from "next-intl/server";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { roleName } from "#lib/core/format.ts";
import { href } from "#lib/core/href.ts";
import classes from "./plain-frame.module.css";

type Entry = { number: string; name: string; roles: string[] };

/** The projects of a person, to choose from, and those that may not be opened, each of which tells why; without any, whom to ask. */
export async function ProjectList({ projects, closed }: { projects: readonly Entry[]; closed: readonly Entry[] }) {
  const t = await getTranslations("shell.projects");
  if (projects.length + closed.length === 0) return <EmptyState level={1} title={t("noProject")} text={t("askManager")} />;
  return (
    <div className={classes.card}>
      <h1>{t("title")}</h1>
      {projects.length > 0 ? <Entries projects={projects} /> : null}
      {closed.length > 0 ? (
        <>
          <h2>{t("closed")}</h2>
          <Entries projects={closed} />
        </>
      ) : null}
    </div>
  );
}

function Entries({ projects }: { projects: readonly Entry[] }) {
  return (
    <ul className={classes.projects}>
      {projects.map((project) => (
        <li key={project.number}>
          <a className={classes.project} href={href("rolloutPlan", {}, project.number)}>
            {project.name}
            <span>
              {project.number} · {project.roles.map(roleName).join(", ")}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
