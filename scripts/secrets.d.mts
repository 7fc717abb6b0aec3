export function secrets(dataDir: string): { AUTH_SECRET: string; NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: string };
