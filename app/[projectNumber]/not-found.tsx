import { NotFoundPanel } from "#components/shell/not-found-panel.tsx";

/** An address below a project that no screen has. */
export default function ScreenNotFound() {
  return <NotFoundPanel />;
}
