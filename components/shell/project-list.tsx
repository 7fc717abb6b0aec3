import { getTranslations } from "next-intl/server";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { href } from "#lib/core/href.ts";
import classes from "./plain-frame.module.css";

type Entry = { number: string; name: string; roles: string[] };

/** The projects of a person, to choose from; without any, whom to ask. */
export async function ProjectList({ projects }: { projects: readonly Entry[] }) {
  const t = await getTranslations("shell");
  if (projects.length === 0) return <EmptyState level={1} title={t("projects.noProject")} text={t("projects.askManager")} />;
  return (
    <div className={classes.card}>
      <h1>{t("projects.title")}</h1>
      <ul className={classes.projects}>
        {projects.map((project) => (
          <li key={project.number}>
            <a className={classes.project} href={href("rolloutPlan", {}, project.number)}>
              {project.name}
              <span>
                {project.number} · {project.roles.map((role) => role.replaceAll("_", " ")).join(", ")}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
