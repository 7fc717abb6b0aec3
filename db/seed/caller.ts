import type { Pool } from "#db/client.ts";
import { runTask } from "#jobs/run-task.ts";
import { taskKinds } from "#jobs/tasks.ts";
import type { Action } from "#lib/core/action.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { runCall } from "#lib/core/gate.ts";

/** Calls of the product in the name of one account: what comes of them has passed every check. */
export type Call = <Result>(action: Action<never, Result>, input: unknown) => Promise<Result>;

/** Calls in the demo project by an account. A refused call throws with what it was refused for. */
export async function callerOf(pool: Pool, account: string, now: Date): Promise<Call> {
  const [user] = await pool<CtxUser[]>`select id, account, name, email, kind, country from app_user where account = ${account}`;
  const who = { user: user!, sid: null, tokenId: user!.id, csrfToken: null, expiresAt: new Date(8_640_000_000_000_000) };
  return async <Result>({ declaration }: Action<never, Result>, input: unknown): Promise<Result> => {
    const caller = { who, projectNumber: "DEMO", locale: "en" as const, requestId: "seed", ip: null, now };
    const answer = await runCall(declaration, caller, input);
    if (answer.status !== 200)
      throw new Error(`${declaration.address}: ${answer.msg} ${JSON.stringify(answer.problems ?? answer.data ?? "")}`);
    return answer.data as Result;
  };
}

/** Carries a task out here and not by a worker, so that what it makes is there when the first screen is opened; the job in the queue then finds it done. */
export async function finishTask(pool: Pool, taskId: string): Promise<void> {
  await runTask(pool, taskKinds, taskId, new AbortController().signal);
}
