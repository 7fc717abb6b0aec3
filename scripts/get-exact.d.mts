export function keptFiles(archive: Uint8Array, integrity?: string, kept?: Record<string, string>): Map<string, Uint8Array>;
export function getExact(dataDir: string): Promise<string>;
