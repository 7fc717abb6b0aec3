import { fork } from "node:child_process";
import { once as event } from "node:events";
import { fileURLToPath } from "node:url";
import nodemailer from "nodemailer";
import { type NewMail, queueMails } from "#lib/reminders/outbox/commands.ts";
import { connections } from "#lib/reminders/outbox/limits.ts";
import type { Installation } from "./installation.ts";
import { line, once } from "./measure.ts";

const mails = 10_000;
/** Receivers of the same words. */
const perBody = 20;
/** Mails of a run that does not count. */
const warm = 1_000;

/** Ten thousand mails of 12 kB from the outbox to a mail server on this machine, against the mail library handing over the same words over as many connections. */
export async function benchMail({ sql, projectId }: Installation): Promise<void> {
  const receiver = fork(fileURLToPath(new URL("./mail-receiver.ts", import.meta.url)));
  const [{ port }] = (await event(receiver, "message")) as [{ port: number }];
  const url = `smtp://127.0.0.1:${port}`;
  // The settings of a process are read once, so what sends is one of its own, as workers are.
  const sender = fork(fileURLToPath(new URL("./mail-sender.ts", import.meta.url)), {
    env: { ...process.env, SMTP_URL: url, MAIL_PER_MINUTE: "0" },
  });
  const now = new Date();
  const project = { id: projectId, number: "LARGE" };
  const text = (body: number) => `${body} ${"A line of a reminder that tells of an activity. ".repeat(120)}`;
  const mail = (run: string, at: number): NewMail => ({
    kind: "task.result",
    event: `${run} ${at}`,
    to: { address: `person${at}@example.com`, name: `Person ${at}`, lang: "en" },
    subject: `Reminder ${Math.floor(at / perBody)}`,
    html: `<p>${text(Math.floor(at / perBody))}</p>`,
    text: text(Math.floor(at / perBody)),
  });
  const bare = async (count: number) => {
    const transport = nodemailer.createTransport({
      url,
      pool: true,
      maxConnections: connections,
      maxMessages: Number.POSITIVE_INFINITY,
    } as never);
    const list = Array.from({ length: count }, (_, at) => mail("bare", at));
    const ms = await once(() =>
      Promise.all(
        list.map(({ to, subject, html, text: plain }) =>
          transport.sendMail({
            from: "Milepost <milepost@example.com>",
            to: { name: to.name ?? "", address: to.address },
            subject,
            html,
            text: plain,
          }),
        ),
      ),
    );
    transport.close();
    return (count / ms) * 1000;
  };
  const drain = async () => {
    sender.send({});
    const [done] = (await event(sender, "message")) as [{ sent: number; ms: number }];
    return done;
  };
  const product = async (run: string, count: number) => {
    for (let from = 0; from < count; from += 1_000)
      await queueMails(
        { sql, project, now },
        Array.from({ length: Math.min(1_000, count - from) }, (_, at) => mail(run, from + at)),
      );
    const { sent, ms } = await drain();
    if (sent !== count) throw new Error(`${sent} of ${count} mails were sent`);
    return (count / ms) * 1000;
  };
  try {
    await event(sender, "message");
    // What the tasks of other measurements have to say goes first.
    await drain();
    await bare(warm);
    await product("warm", warm);
    const rates = [await bare(mails / 2), await product("run", mails), await bare(mails / 2)] as const;
    line("10,000 mails through the outbox", rates[1], (rates[0] + rates[2]) / 2, "/s", "≥ 0.7");
  } finally {
    sender.disconnect();
    receiver.disconnect();
  }
}
