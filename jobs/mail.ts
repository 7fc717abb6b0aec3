import type { Pool } from "#db/client.ts";
import { log } from "#lib/core/log.ts";
import { presentTime } from "#lib/core/present-time.ts";
import type { SmtpWaits } from "#lib/core/smtp.ts";
import { drainMails } from "#lib/reminders/delivery/commands.ts";

/** The job `mail.drain`: one at a time in a process, woken by new mails and by every tick. */
export class MailDrain {
  readonly #pool: Pool;
  readonly #workerId: string;
  readonly #waits: SmtpWaits | undefined;
  readonly #leaving = new AbortController();
  #running: Promise<void> | null = null;
  #again = false;
  #woken = Promise.withResolvers<void>();
  #unlisten: () => Promise<void> = async () => {};

  constructor(pool: Pool, workerId: string, waits?: SmtpWaits) {
    this.#pool = pool;
    this.#workerId = workerId;
    this.#waits = waits;
  }

  /** Listens for new mails. */
  async start(): Promise<void> {
    const { unlisten } = await this.#pool.listen(
      "mail_queued",
      () => this.wake(),
      () => this.wake(),
    );
    this.#unlisten = unlisten;
  }

  /** Sends what is due; while a drain runs, another follows it. */
  wake(): void {
    if (this.#leaving.signal.aborted) return;
    this.#again = true;
    this.#woken.resolve();
    this.#woken = Promise.withResolvers<void>();
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  /**
   * Takes no more mails and waits for those on the wire.
   * @param graceMs after this they are left to the mail server; their outcome is then uncertain
   */
  async stop(graceMs: number): Promise<void> {
    this.#leaving.abort();
    const late = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref());
    await Promise.race([this.#running ?? Promise.resolve(), late]);
    await this.#unlisten().catch(() => {});
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#leaving.signal.aborted) {
      this.#again = false;
      try {
        await drainMails({
          pool: this.#pool,
          workerId: this.#workerId,
          now: presentTime,
          leaving: this.#leaving.signal,
          woken: () => this.#woken.promise,
          ...(this.#waits && { waits: this.#waits }),
        });
      } catch (error) {
        log.error({ error: String(error) }, "mails");
      }
    }
  }
}
