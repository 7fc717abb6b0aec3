import { NotAuthorised } from "#components/shell/not-authorised.tsx";

/** A screen the person may not open. */
export default function Forbidden() {
  return <NotAuthorised />;
}
