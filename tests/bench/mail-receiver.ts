import { SMTPServer } from "smtp-server";

// A mail server of its own process that takes everything: it says where it listens, counts, and ends with its parent.
let taken = 0;
const server = new SMTPServer({
  disabledCommands: ["STARTTLS", "AUTH"],
  logger: false,
  disableReverseLookup: true,
  size: 50_000_000,
  onData: (stream, _session, done) => {
    stream.on("data", () => {});
    stream.on("end", () => {
      taken++;
      done();
    });
  },
});
server.on("error", () => {});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.server.address() as { port: number }).port }));
process.on("message", () => process.send?.({ taken }));
process.on("disconnect", () => process.exit(0));
