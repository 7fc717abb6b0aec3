export type EmbeddedPostgres = {
  port: number;
  pid: number;
  adopted: boolean;
  created: boolean;
  directory: string;
  ownerUrl: string;
  appUrl: string;
  release(): Promise<boolean>;
};

export type PostgresOptions = {
  dataDir: string;
  settings?: Record<string, string>;
  port?: number;
  passwords?: { owner?: string; app?: string };
  say?: (text: string) => void;
};

export function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres>;

export function keepPostgres(
  current: () => { pid: number },
  options: PostgresOptions,
  restarted: (cluster: EmbeddedPostgres) => void,
): () => Promise<void>;

export function findPostgres(dataDir: string): Promise<{ pid: number; port: number } | null>;

export function endUnusedPostgres(dataDir: string): Promise<void>;

export function stopServer(pid: number): Promise<void>;
