import type { IncomingMessage, ServerResponse } from "node:http";

export function packFiles(folder: string, former?: string, signal?: AbortSignal): Promise<void>;
export function openPackedFiles(folder: string, address: string): (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
