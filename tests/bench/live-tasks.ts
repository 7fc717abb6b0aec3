import { setTimeout as pause } from "node:timers/promises";

/** How long is waited for an event before the task is looked at anyway, as an open page does. */
const lookMs = 5_000;

type Waiting = Map<string, () => void>;
const streams = new Map<string, Promise<Waiting>>();

/** Opens the live events of a project as its pages do; each message that names a task wakes who waits for it. */
async function listen(address: string, token: string, project: string): Promise<Waiting> {
  const waiting: Waiting = new Map();
  const response = await fetch(`${address}/api/events?projectNumber=${project}`, { headers: { authorization: `Bearer ${token}` } });
  if (!response.body) throw new Error(`events: ${response.status}`);
  const read = async (body: ReadableStream<Uint8Array>) => {
    let text = "";
    for await (const part of body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)) {
      const messages = (text + part).split("\n\n");
      text = messages.pop() ?? "";
      for (const message of messages) {
        const task = /^event: task\ndata: (.*)$/s.exec(message)?.[1];
        if (task) waiting.get((JSON.parse(task) as { id: string }).id)?.();
      }
    }
  };
  // A server that leaves ends its streams; the next one who waits connects again.
  read(response.body)
    .catch(() => {})
    .finally(() => streams.delete(`${address} ${project}`));
  return waiting;
}

/**
 * Waits until `look` finds what it waits for of a task; it looks whenever the task is told to have moved.
 * @param look whether the wait is over
 */
export async function watchTask(
  { address, token }: { address: string; token: string },
  project: string,
  id: string,
  look: () => Promise<boolean>,
): Promise<void> {
  const key = `${address} ${project}`;
  const stream = streams.get(key) ?? listen(address, token, project);
  streams.set(key, stream);
  const waiting = await stream;
  for (;;) {
    const moved = new Promise<void>((resolve) => waiting.set(id, resolve));
    if (await look()) break;
    await Promise.race([moved, pause(lookMs, undefined, { ref: false })]);
  }
  waiting.delete(id);
}
