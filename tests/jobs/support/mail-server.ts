import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** A mail as the server received it. */
export type Received = { to: string; from: string; raw: string; accepted: boolean };

/** What the server does with a mail, by the first word of its receiver: `r450.anna@example.com` is refused with 450. */
type Script = { rcpt?: number; data?: number; drop?: "rcpt" | "middle" | "after"; hold?: boolean };

const scripts: Record<string, Script> = {
  r421: { rcpt: 421 },
  r450: { rcpt: 450 },
  r550: { rcpt: 550 },
  d451: { data: 451 },
  d452: { data: 452 },
  d554: { data: 554 },
  rcptdrop: { drop: "rcpt" },
  middrop: { drop: "middle" },
  afterdrop: { drop: "after" },
  hold: { hold: true },
};

export type MailServer = {
  url: string;
  received: Received[];
  /** Mails whose data has arrived and that wait for their answer. */
  held: (() => void)[];
  /** Refuses every n-th delivery for the time being, by count. */
  refuseEvery: (n: number) => void;
  /** How long every answer after the data takes. */
  slow: (ms: number) => void;
  most: () => number;
  close: () => Promise<void>;
};

type Connection = { id?: string; session?: { id: string }; _socket: { destroy: () => void } };

const fault = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code });
const scriptOf = (address: string): Script => scripts[address.split(".")[0] ?? ""] ?? {};

/** A mail server on loopback that keeps what it gets and fails as its receivers are named. */
export async function openMailServer(port = 0): Promise<MailServer> {
  const received: Received[] = [];
  const held: (() => void)[] = [];
  let every = 0;
  let deliveries = 0;
  let slowMs = 0;
  let open = 0;
  let most = 0;
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    logger: false,
    disableReverseLookup: true,
    size: 50_000_000,
    onConnect: (_session, done) => {
      open++;
      most = Math.max(most, open);
      done();
    },
    onClose: () => {
      open--;
    },
    onRcptTo: ({ address }, session, done) => {
      const script = scriptOf(address);
      if (script.drop === "rcpt") return drop(session.id);
      done(script.rcpt ? fault(script.rcpt, "refused by script") : null);
    },
    onData: (stream, session, done) => {
      const address = session.envelope.rcptTo[0]?.address ?? "";
      const script = scriptOf(address);
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        if (script.drop === "middle") drop(session.id);
      });
      stream.on("end", () => {
        const entry: Received = {
          to: address,
          from: session.envelope.mailFrom ? session.envelope.mailFrom.address : "",
          raw: Buffer.concat(chunks).toString("utf8"),
          accepted: false,
        };
        received.push(entry);
        const answer = () => {
          if (script.data) return done(fault(script.data, "refused by script"));
          if (every > 0 && ++deliveries % every === 0) return done(fault(451, "try later"));
          entry.accepted = true;
          done();
        };
        if (script.drop === "after") {
          entry.accepted = true;
          return drop(session.id);
        }
        if (script.hold) return void held.push(answer);
        if (slowMs > 0) setTimeout(answer, slowMs);
        else answer();
      });
    },
  });
  const drop = (sessionId: string) => {
    for (const connection of (server as unknown as { connections: Set<Connection> }).connections)
      if (connection.id === sessionId || connection.session?.id === sessionId) connection._socket.destroy();
  };
  server.on("error", () => {});
  await new Promise<void>((ready) => server.listen(port, "127.0.0.1", () => ready()));
  const address = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    held,
    refuseEvery: (n) => {
      every = n;
    },
    slow: (ms) => {
      slowMs = ms;
    },
    most: () => most,
    close: () =>
      new Promise((closed) => {
        for (const connection of (server as unknown as { connections: Set<Connection> }).connections) connection._socket.destroy();
        server.close(() => closed());
      }),
  };
}
