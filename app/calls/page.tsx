import { redirect } from "next/navigation";
import { CallPage } from "#components/calls/call-page.tsx";
import { Texts } from "#components/shell/texts.tsx";
import { listCallSheets } from "#lib/core/openapi.ts";
import { pageCaller } from "#lib/core/page-caller.ts";

export default async function Page() {
  const { who } = await pageCaller();
  if (!who) redirect("/sign-in?to=%2Fcalls");
  return (
    <Texts names={["calls"]}>
      <CallPage calls={await listCallSheets()} />
    </Texts>
  );
}
