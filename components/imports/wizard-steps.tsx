import { IconCheck } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { Fragment, type ReactNode } from "react";
import classes from "./import-wizard.module.css";

export const wizardSteps = ["file", "mapping", "preview", "apply", "result"] as const;
export type WizardStep = (typeof wizardSteps)[number];

/** Where an import stands: steps that are done are checked, the present one is filled. The note stands at the right. */
export function WizardSteps({ step, children }: { step: WizardStep; children?: ReactNode }) {
  const t = useTranslations("imports");
  const at = wizardSteps.indexOf(step);
  return (
    <div className={classes.stepBar}>
      <ol className={classes.steps} aria-label={t("steps.label")}>
        {wizardSteps.map((name, index) => (
          <Fragment key={name}>
            {index > 0 ? <li aria-hidden="true" className={classes.stepLine} /> : null}
            <li
              className={classes.step}
              data-state={index < at ? "done" : index === at ? "now" : undefined}
              aria-current={index === at ? "step" : undefined}
            >
              <b>{index < at ? <IconCheck size={12} stroke={1.7} role="img" aria-label={t("steps.done")} /> : index + 1}</b>
              {t(`steps.${name}`)}
            </li>
          </Fragment>
        ))}
      </ol>
      <span className={classes.stepNote}>{children}</span>
    </div>
  );
}
