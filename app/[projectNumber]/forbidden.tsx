import { NotAuthorised } from "#components/shell/not-authorised-on-demand.tsx";

/** A screen the person may not open. */
export default function Forbidden() {
  return <NotAuthorised />;
}
