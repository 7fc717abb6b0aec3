import "server-only";
import { z } from "zod";
import { type LiveEvent, subscribe } from "./events.ts";
import { log } from "./log.ts";
import { tellStream } from "./metrics.ts";
import { route, type Sending } from "./route.ts";

/** What the gate says about who listens. */
export type Listener = {
  userId: number;
  projectId: number;
  /** Hears of the tasks of others too. */
  allTasks: boolean;
  /** Which plan changes are heard: all with their DUs, that something changed, none. */
  plan: "named" | "unnamed" | "none";
  /** Hears how far runs of the planning engine are. */
  runs: boolean;
};

const beatMs = 20_000;
/** Every so many beats session, membership and rights are read again. */
const beatsPerCheck = 3;
/** A reader that leaves this many messages lying is cut off; its page connects again. */
const waitingMost = 1_000;

/** Live events of a project: tasks, plan changes and notices. */
export const eventStream = route({
  address: "events",
  method: "GET",
  kind: "read",
  needs: "member",
  input: z.object({}),
  run: async (ctx): Promise<Listener> => ({
    userId: ctx.user.id,
    projectId: ctx.project.id,
    allTasks: ctx.can("task.viewAll"),
    plan: !ctx.can("rollout.view") ? "none" : ctx.scope.all("rollout.view") ? "named" : "unnamed",
    runs: ctx.can("engine.view"),
  }),
  gives: { type: "text/event-stream", send: openStream },
});

/** What a listener is told of an event, or null. A person who sees part of the project learns that the plan changed, not which DUs. */
export function messageFor(listener: Listener, event: LiveEvent): { event: string; data: unknown } | null {
  if (event.change.projectId !== listener.projectId) return null;
  if (event.kind === "task") {
    const { id, createdBy, direction, status, progress } = event.change;
    const own = createdBy === listener.userId;
    return own || listener.allTasks ? { event: "task", data: { id, direction, status, progress, own } } : null;
  }
  if (event.kind === "notice") return event.change.userId === listener.userId ? { event: "notice", data: {} } : null;
  if (event.kind === "run") {
    const { projectId: _project, ...data } = event.change;
    return listener.runs ? { event: "run", data } : null;
  }
  if (listener.plan === "none") return null;
  const { seq, duIds, actorId } = event.change;
  return { event: "plan", data: { seq, duIds: listener.plan === "named" ? duIds : null, own: actorId === listener.userId } };
}

const shared = globalThis as { milepostStreams?: Set<() => void> };

function openStreams(): Set<() => void> {
  shared.milepostStreams ??= new Set();
  return shared.milepostStreams;
}

/** Ends every open stream of this process, so that it can leave; the pages connect to another. */
export function closeStreams(): void {
  for (const close of [...openStreams()]) close();
}

/** Server-sent events of the project for one browser: `task`, `plan`, `notice`, `run`, and comments that keep the connection open. */
function openStream(admitted: Listener, { request, requestId, again }: Sending): Response {
  let listener = admitted;
  // A reader may go before the stream has begun to listen.
  let gone = false;
  let end = () => {};
  const stream = new ReadableStream<Uint8Array>(
    {
      async start(controller) {
        const encoder = new TextEncoder();
        let beats = 0;
        let closed = false;
        const send = (text: string) => {
          if (closed) return;
          if ((controller.desiredSize ?? 0) < -waitingMost) end();
          else controller.enqueue(encoder.encode(text));
        };
        const unsubscribe = await subscribe((event) => {
          const message = messageFor(listener, event);
          if (message) send(`event: ${message.event}\ndata: ${JSON.stringify(message.data)}\n\n`);
        });
        const beat = setInterval(() => {
          send(": \n\n");
          if (++beats % beatsPerCheck !== 0) return;
          again().then(
            (answer) => {
              if (answer.status === 200) listener = answer.data as Listener;
              else end();
            },
            (error) => log.warn({ error }, "a listener could not be checked"),
          );
        }, beatMs);
        end = () => {
          if (closed) return;
          closed = true;
          tellStream(-1);
          clearInterval(beat);
          unsubscribe();
          openStreams().delete(end);
          try {
            controller.close();
          } catch {
            // The reader has gone first.
          }
        };
        openStreams().add(end);
        tellStream(1);
        request.signal.addEventListener("abort", end);
        if (gone || request.signal.aborted) end();
        send("retry: 3000\n: open\n\n");
      },
      cancel: () => {
        gone = true;
        end();
      },
    },
    { highWaterMark: 16 },
  );
  return new Response(stream, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
      requestid: requestId,
    },
  });
}
