/** Header of every answer: the build of the process that gave it. */
export const buildHeader = "x-build";

let own: string | null = null;
let newer = false;
const listeners = new Set<() => void>();

/** Takes note of the build an answer came from: the first is that of the page, any other means that the product was updated since. */
export function noteBuild(build: string | null): void {
  if (!build || newer) return;
  own ??= build;
  if (build === own) return;
  newer = true;
  for (const listener of listeners) listener();
}

/** Whether the server has another build than the page. */
export const newerBuild = {
  get: (): boolean => newer,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
