import "server-only";
import { Readable } from "node:stream";
import { parseConnectionUrl } from "nodemailer/lib/shared";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { composeMail, senderAddress, type WireMail } from "./mime.ts";

/** Why handing over a mail failed; `handedOver` when its last byte had been written, so that the server may have taken it. */
export type SmtpFault = { message: string; command: string | undefined; responseCode: number | undefined; handedOver: boolean };

/** Longest waits in milliseconds: for connection and greeting, and for any later answer. */
export type SmtpWaits = { greetingMs: number; answerMs: number };

type Raw = Error & { command?: string; responseCode?: number };

/**
 * One connection to the mail server, opened when the first mail comes and again after a failure. The mail library's own pool is not used: it sends a
 * mail again by itself when a connection breaks, and a mail whose data had arrived would then be there twice.
 */
export class SmtpLine {
  readonly #url: string;
  readonly #from: string;
  readonly #waits: SmtpWaits;
  #connection: SMTPConnection | null = null;

  constructor(url: string, from: string, waits: SmtpWaits) {
    this.#url = url;
    this.#from = from;
    this.#waits = waits;
  }

  /** Hands one mail to the server; null when the server has taken it. */
  async send(mail: WireMail): Promise<SmtpFault | null> {
    let handedOver = false;
    try {
      const message = composeMail(mail, this.#from);
      const connection = await this.#open();
      const source = Readable.from(slices(message), { objectMode: false });
      source.once("end", () => {
        handedOver = true;
      });
      await new Promise<void>((done, fail) =>
        connection.send({ from: senderAddress(this.#from), to: mail.to.address, size: message.length }, source, (error) =>
          error ? fail(error) : done(),
        ),
      );
      return null;
    } catch (error) {
      const { message, command, responseCode } = error as Raw;
      // A refused receiver leaves the connection fit for the next mail; after anything else a new one is safer.
      const reusable = command === "RCPT TO" && (await this.#reset());
      if (!reusable) this.#drop();
      return { message: String(message), command, responseCode: responseCode || undefined, handedOver };
    }
  }

  /** Says goodbye to the server. */
  close(): void {
    const connection = this.#connection;
    this.#connection = null;
    connection?.quit();
  }

  #drop(): void {
    this.#connection?.close();
    this.#connection = null;
  }

  #reset(): Promise<boolean> {
    return new Promise((done) => (this.#connection ? this.#connection.reset((error) => done(!error)) : done(false)));
  }

  async #open(): Promise<SMTPConnection> {
    if (this.#connection) return this.#connection;
    const { auth, ...options } = parseConnectionUrl(this.#url);
    const connection = new SMTPConnection({
      ...options,
      connectionTimeout: this.#waits.greetingMs,
      greetingTimeout: this.#waits.greetingMs,
      dnsTimeout: this.#waits.greetingMs,
      socketTimeout: this.#waits.answerMs,
    });
    // Whatever ends the connection also ends the mail in flight, which tells it; an idle one that was closed is opened anew.
    connection.on("error", () => {});
    connection.once("end", () => {
      if (this.#connection === connection) this.#connection = null;
    });
    await new Promise<void>((done, fail) => {
      connection.once("error", fail);
      connection.connect((error) => (error ? fail(error) : done()));
    });
    if (auth?.user)
      await new Promise<void>((done, fail) => connection.login({ ...auth }, (error) => (error ? fail(error) : done()))).catch((error) => {
        connection.close();
        throw error;
      });
    this.#connection = connection;
    return connection;
  }
}

const sliceBytes = 16_384;

function* slices(message: Buffer): Generator<Buffer> {
  for (let at = 0; at < message.length; at += sliceBytes) yield message.subarray(at, at + sliceBytes);
}
