import type { PermissionLevel } from '@/lib/tools/tool'

/** Permission levels in words for people. */
export const permissionWords: Readonly<Record<PermissionLevel, string>> = {
  public: 'harmless',
  moderate: 'moderate',
  sensitive: 'sensitive',
}
