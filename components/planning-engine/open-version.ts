import { callDoor } from "#lib/core/call-door.ts";
import { openVersionSetting } from "#lib/planning-engine/versions/limits.ts";

/** Remembers the version a person has open, for the next time and other screens. [ENG-18] */
export async function keepVersion(projectNumber: string, versionId: number): Promise<void> {
  await callDoor("userSetting/saveUserSetting", { settingId: openVersionSetting, value: versionId, projectScoped: true, projectNumber });
}
