import { DuTreePage } from "#components/dus/du-tree-page.tsx";
import { Texts } from "#components/shell/texts.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

type Props = { params: Promise<{ projectNumber: string }> };

/** The DUs of the project as a hierarchy. */
export default async function DuTree({ params }: Props) {
  await openScreen("duTree", decodeOnce((await params).projectNumber));
  return (
    <Texts names={["du-tree", "dus"]}>
      <DuTreePage />
    </Texts>
  );
}
