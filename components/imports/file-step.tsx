"use client";
import { Button } from "@mantine/core";
import { IconDownload, IconInfoCircle } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { FileDrop } from "#components/ui/file-drop.tsx";
import { ProgressBar } from "#components/ui/progress-bar.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import type { Answer } from "#lib/core/error.ts";
import { formatNumber } from "#lib/core/format.ts";
import { maxUploadBytes, workbookMime } from "#lib/core/workbook-limits.ts";
import { makeImportTemplate } from "#lib/imports/actions.ts";
import { encodings, type ImportKindName, importKinds } from "#lib/imports/limits.ts";
import type { FileSettings } from "./import-api.ts";
import classes from "./import-wizard.module.css";

/** Gives a file that came with an answer to the browser to keep. */
function save(name: string, base64: string): void {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const address = URL.createObjectURL(new Blob([bytes], { type: workbookMime }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}

type Props = {
  kind: ImportKindName;
  /** The file on its way: its name, and the share that has arrived, null while it is being read. */
  sending: { name: string; share: number | null } | null;
  failed: Answer | null;
  onFile: (file: File) => void;
  /** The file could not be read in UTF-8: reads it in the encoding that was chosen. */
  onEncoding: (encoding: FileSettings["encoding"]) => void;
};

/** First step: the file, by hand or dropped, and a template to fill in. */
export function FileStep({ kind, sending, failed, onFile, onEncoding }: Props) {
  const t = useTranslations("imports");
  const [makeTemplate, making] = useAction(makeImportTemplate);
  const isExport = importKinds[kind].needsMeta;
  const endings = importKinds[kind].endings.map((ending) => `.${ending}`);

  const template = async () => {
    const answer = await makeTemplate({ kind });
    if (answer.data) save(answer.data.name, answer.data.base64);
    else toast.problem(answer.msg ?? t("file.templateFailed"));
  };

  return (
    <div className={classes.single}>
      {sending ? (
        <div className={classes.work} aria-live="polite">
          <h2>{t(sending.share === null ? "file.reading" : "file.sending", { name: sending.name })}</h2>
          <ProgressBar
            done={sending.share === null ? 0 : sending.share * 100}
            total={sending.share === null ? null : 100}
            label={sending.name}
            large
          />
        </div>
      ) : (
        <div className={classes.chosen}>
          <FileDrop
            text={t("file.drop")}
            verb={t("file.choose")}
            hint={t("file.limits", { endings: endings.join(" "), max: `${formatNumber(maxUploadBytes / 1_048_576)}\u00a0MB` })}
            endings={endings}
            primary
            onFiles={([file]) => file && onFile(file)}
          >
            {isExport ? null : (
              <Button leftSection={<IconDownload size={16} stroke={1.4} />} loading={making} onClick={template}>
                {t("file.template")}
              </Button>
            )}
          </FileDrop>
        </div>
      )}
      {failed?.code === "ENCODING_WRONG" ? (
        <div className={classes.work} role="alert">
          <h2>{t("file.encoding")}</h2>
          <div className={classes.row}>
            {encodings.map((encoding) => (
              <Button key={encoding} onClick={() => onEncoding(encoding)}>
                {t(`encodings.${encoding}`)}
              </Button>
            ))}
          </div>
        </div>
      ) : failed ? (
        <ErrorPanel title={t("file.failed")} text={failed.msg ?? t("file.noAnswer")} failed={failed.status >= 500 ? failed : undefined} />
      ) : null}
      <ul className={classes.notes}>
        {(isExport
          ? (["exported", "merged", "nothing"] as const)
          : ([
              "head",
              kind === "calendar" ||
              kind === "flows" ||
              kind === "members" ||
              kind === "duRelations" ||
              kind === "planFeedback" ||
              kind === "duOwners" ||
              kind === "regionOwners"
                ? kind
                : "keep",
              "nothing",
            ] as const)
        ).map((key) => (
          <li key={key}>
            <IconInfoCircle size={16} stroke={1.4} aria-hidden="true" />
            {t(`file.notes.${key}`)}
          </li>
        ))}
      </ul>
    </div>
  );
}
