import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { WireMail } from "#lib/core/mime.ts";
import { SmtpLine } from "#lib/core/smtp.ts";

let server: SMTPServer;
let address: string;
let connections = 0;
const senders: string[] = [];

beforeAll(async () => {
  server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onConnect: (_session, done) => {
      connections++;
      done();
    },
    onAuth: ({ username, password }, _session, done) =>
      username === "us er" && password === "p@ss:word" ? done(null, { user: username }) : done(new Error("wrong")),
    onMailFrom: ({ address: from }, session, done) => {
      senders.push(`${from} ${session.user}`);
      done();
    },
    onData: (stream, _session, done) => {
      stream.resume();
      stream.on("end", () => done());
    },
  });
  server.on("error", () => {});
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", () => ready()));
  address = `127.0.0.1:${(server.server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise<void>((closed) => server.close(() => closed())));

const waits = { greetingMs: 2_000, answerMs: 2_000 };
const mail: WireMail = {
  to: { name: "", address: "a@example.com" },
  cc: false,
  subject: "x",
  words: { text: "x", html: "<p>x</p>" },
  messageId: "<1@example.com>",
  headers: {},
  attachments: [],
};

test("signs in with what the address says, sends many mails over one connection, and says goodbye", async () => {
  const line = new SmtpLine(`smtp://us%20er:p%40ss%3Aword@${address}`, "Milepost <no-reply@example.com>", waits);
  for (let i = 0; i < 3; i++) expect(await line.send(mail)).toBeNull();
  line.close();
  expect(connections).toBe(1);
  expect(senders).toEqual(Array(3).fill("no-reply@example.com us er"));
});

test("a wrong password is a fault of the connection, and the next mail tries again", async () => {
  const line = new SmtpLine(`smtp://us%20er:wrong@${address}`, "no-reply@example.com", waits);
  for (let i = 0; i < 2; i++) {
    const fault = await line.send(mail);
    expect(fault).toMatchObject({ responseCode: 535, handedOver: false });
    expect(fault?.command).toMatch(/^AUTH/);
  }
  line.close();
});
