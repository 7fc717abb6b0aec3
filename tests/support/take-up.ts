import { expect } from "vitest";
import type { TestDatabase } from "./database.ts";

/**
 * Takes an ended task up once more from the moment before its end was written, as the next worker does when one was killed there, and expects it to end and to
 * tell the same.
 * @param run carries the task out
 */
export async function expectSameWhenTakenUp(
  { owner }: Pick<TestDatabase, "owner">,
  id: string,
  run: (id: string) => Promise<unknown>,
): Promise<void> {
  const told = async () =>
    (
      await owner`
        select status, total_count as total, done_count as done, failed_count as failed, message_key as message, message_args as args, result,
          error_file_id is null as "noErrors" from task where id = ${id}`
    )[0];
  const before = await told();
  await owner`
    update task set status = 'queued', attempt = attempt - 1, finished_at = null, message_key = null, message_args = null, result_file_id = null, error_file_id = null, result = null
    where id = ${id}`;
  await run(id);
  expect(await told()).toEqual(before);
}
