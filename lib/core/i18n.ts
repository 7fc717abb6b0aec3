import { cookies, headers } from "next/headers";
import { getRequestConfig } from "next-intl/server";
import { chooseLocale, localeCookie } from "./locale.ts";
import { loadMessages } from "./messages.ts";

/** Language and texts of a request: the proxy has read `?lang=` and the cookie into a header; calls outside it have the cookie alone. */
export default getRequestConfig(async () => {
  const [given, jar] = await Promise.all([headers(), cookies()]);
  const locale = chooseLocale(given.get("x-locale"), jar.get(localeCookie)?.value);
  return { locale, messages: loadMessages(locale), timeZone: "UTC" };
});
