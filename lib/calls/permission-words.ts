import type { PermissionLevel } from '@/lib/conversation/tool-rights'

/** Permission levels in words for people. */
export const permissionWords: Readonly<Record<PermissionLevel, string>> = {
  public: 'harmless',
  moderate: 'moderate',
  sensitive: 'sensitive',
}
