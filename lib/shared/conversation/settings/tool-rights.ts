/** `public` may be ticked to run alone, `moderate` may be remembered, `sensitive` asks every time. */
export const permissionLevels = ['public', 'moderate', 'sensitive'] as const
export type PermissionLevel = (typeof permissionLevels)[number]

/** What a call does with the chat's files. */
export const fileAccess = ['none', 'read', 'write'] as const
export type FileAccess = (typeof fileAccess)[number]

/**
 * Where a call can reach. `off`: nowhere, the page and the sandbox hold it to that. `own server`: it is carried out by what
 * the user connected, and how far that reaches nobody here can hold. `remote`: its
 * arguments leave the browser for a server (MCP). Shown on cards as it stands.
 */
export type NetworkAccess = 'off' | 'own server' | 'remote'

/** What a call may touch: said on its card. */
export interface Capabilities<A extends FileAccess = FileAccess> {
  readonly files: A
  readonly network: NetworkAccess
}
