"use client";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import styles from "./call-page.module.css";

type Call = {
  area: string;
  name: string;
  address: string;
  method: string;
  kind: string;
  right: string;
  input: unknown;
  takes: string | null;
  gives: string | null;
  errors: string[];
};

/** Every call with its right, input and errors, found by typing a part of address, area or right. */
export function CallPage({ calls }: { calls: Call[] }) {
  const t = useTranslations("calls");
  const ui = useTranslations("ui");
  const [text, setText] = useState("");
  const shown = useMemo(() => {
    const part = text.trim().toLowerCase();
    return calls.filter((call) => `${call.address} ${call.area} ${call.right}`.toLowerCase().includes(part));
  }, [calls, text]);
  return (
    <main className={styles.page}>
      <header className={styles.head}>
        <h1>{t("title")}</h1>
        <input
          className={styles.search}
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder={t("search")}
          aria-label={t("search")}
        />
        <span className={styles.count}>{t("count", { shown: shown.length, total: calls.length })}</span>
        <a href="/api/openapi.json">openapi.json</a>
      </header>
      {shown.length === 0 ? (
        <p className={styles.none}>{ui("table.empty")}</p>
      ) : (
        <ul className={styles.list}>
          {shown.map((call) => (
            <li key={call.address}>
              <details>
                <summary>
                  <code>{call.method}</code> <b>/api/{call.address}</b> <span>{t("right", { right: call.right })}</span>
                </summary>
                <dl>
                  <dt>{t("area")}</dt>
                  <dd>{call.area}</dd>
                  <dt>{t("kind")}</dt>
                  <dd>{t(call.kind === "read" ? "read" : "write")}</dd>
                  <dt>{t("errors")}</dt>
                  <dd>{call.errors.join(", ") || "-"}</dd>
                  {call.gives && (
                    <>
                      <dt>{t("gives")}</dt>
                      <dd>{call.gives}</dd>
                    </>
                  )}
                  <dt>{call.takes ? t("inputAs", { type: call.takes }) : t("input")}</dt>
                  <dd>
                    <pre>{JSON.stringify(call.input, null, 2)}</pre>
                  </dd>
                </dl>
              </details>
            </li>
          ))}
        </ul>
      )}
    </main>
  );
}
