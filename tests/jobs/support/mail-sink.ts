import { type AddressInfo, createServer, type Socket } from "node:net";

export type MailSink = { url: string; taken: Map<string, number>; refused: () => number; close: () => Promise<void> };

/** The least a mail server can be, for thousands of mails: counts what it takes by receiver, and refuses every n-th for now, by count. */
export async function openMailSink(refuseEvery: number): Promise<MailSink> {
  const taken = new Map<string, number>();
  const sockets = new Set<Socket>();
  let deliveries = 0;
  let refused = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    let pending = "";
    let to = "";
    let inData = false;
    const line = (text: string): string => {
      if (/^(EHLO|HELO)/i.test(text)) return "250 sink";
      const receiver = /^RCPT TO:<([^>]*)>/i.exec(text);
      if (receiver) to = receiver[1]!;
      if (/^DATA/i.test(text)) {
        inData = true;
        return "354 go on";
      }
      return /^QUIT/i.test(text) ? "221 bye" : "250 ok";
    };
    const data = (): string => {
      inData = false;
      if (++deliveries % refuseEvery === 0) {
        refused++;
        return "451 try later";
      }
      taken.set(to, (taken.get(to) ?? 0) + 1);
      return "250 taken";
    };
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (chunk) => {
      pending += chunk.toString("latin1");
      for (;;) {
        const end = pending.indexOf(inData ? "\r\n.\r\n" : "\r\n");
        if (end < 0) return;
        const text = pending.slice(0, end);
        const answer = inData ? data() : line(text);
        pending = pending.slice(end + (answer.startsWith("250 taken") || answer.startsWith("451") ? 5 : 2));
        socket.write(`${answer}\r\n`);
        if (answer.startsWith("221")) socket.end();
      }
    });
    socket.write("220 sink\r\n");
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?ignoreTLS=true`,
    taken,
    refused: () => refused,
    close: () =>
      new Promise((closed) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => closed());
      }),
  };
}
