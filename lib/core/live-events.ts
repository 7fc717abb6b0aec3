/** What the server tells open pages: a task moved, plan cells moved, own notices changed, or the line is open again and something may have been missed. */
export type LiveMessage =
  | { kind: "task"; data: { id: string; direction: string; status: string; progress: number; own: boolean } }
  | { kind: "plan"; data: { seq: number; duIds: number[] | null; own: boolean } }
  | { kind: "notice"; data: object }
  | { kind: "run"; data: { runId: number; versionId: number } & Record<string, unknown> }
  | { kind: "open"; data: null };

type Listener = (message: LiveMessage) => void;

const retryMs = 5_000;
const retryMostMs = 300_000;

/**
 * The line of one project. The pages of a browser share one stream, because a browser opens few connections to a host: who holds the lock holds the
 * stream and passes on what it says; when that page goes, the next one in line takes its place.
 */
class Line {
  readonly #project: string;
  readonly #listeners = new Set<Listener>();
  readonly #channel: BroadcastChannel;
  readonly #leave = new AbortController();

  constructor(project: string) {
    this.#project = project;
    const name = `milepost live ${project}`;
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = (event: MessageEvent<LiveMessage>) => this.#tell(event.data);
    const hold = () => this.#holdStream();
    // Without a secure address a browser has no locks: every page then has its own stream.
    if (navigator.locks) navigator.locks.request(name, { signal: this.#leave.signal }, hold).catch(() => {});
    else void hold();
  }

  add(listener: Listener): void {
    this.#listeners.add(listener);
  }

  /** Whether nobody listens any more. */
  remove(listener: Listener): boolean {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return false;
    this.#leave.abort();
    this.#channel.close();
    return true;
  }

  #tell(message: LiveMessage): void {
    for (const listener of this.#listeners) listener(message);
  }

  #holdStream(): Promise<void> {
    const { signal } = this.#leave;
    let source: EventSource | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wait = retryMs;
    const pass = (message: LiveMessage) => {
      this.#tell(message);
      this.#channel.postMessage(message);
    };
    const open = () => {
      source = new EventSource(`/api/events?projectNumber=${encodeURIComponent(this.#project)}`);
      source.onopen = () => {
        wait = retryMs;
        pass({ kind: "open", data: null });
      };
      for (const kind of ["task", "plan", "notice", "run"] as const)
        source.addEventListener(kind, (event) => pass({ kind, data: JSON.parse((event as MessageEvent<string>).data) } as LiveMessage));
      source.onerror = () => {
        // A lost connection is opened again by the browser; a refusal is not, so it is asked again, ever less often.
        if (source?.readyState !== EventSource.CLOSED || signal.aborted) return;
        timer = setTimeout(open, wait);
        wait = Math.min(wait * 2, retryMostMs);
      };
    };
    open();
    return new Promise((release) => {
      const end = () => {
        clearTimeout(timer);
        source?.close();
        release();
      };
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    });
  }
}

const lines = new Map<string, Line>();

/** Hears the live events of a project; gives the function that stops hearing. In the browser only. */
export function listenLive(project: string, listener: Listener): () => void {
  const line = lines.get(project) ?? new Line(project);
  lines.set(project, line);
  line.add(listener);
  return () => {
    if (line.remove(listener) && lines.get(project) === line) lines.delete(project);
  };
}
