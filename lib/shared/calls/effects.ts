import { isGrantActive } from './copy'
import type { Grant } from '@/lib/shared/conversation/call-record'
import type { EffectKind, EffectsScope, ReviewReason } from '@/lib/shared/conversation/copy-scopes'
import type { CopyEffect } from '@/lib/shared/conversation/wire/call-requests'
import { isSkillPath } from '@/lib/shared/skills/skill-path'
import { isForReply, isPlain } from './approval-policy'

/*
 * Grants by effect: the changes of a task on a copy are compared with the user's limits. Pure, and used on both sides:
 * the browser decides with it, and the server verifies with it. Both read what the browser recorded: paths, kinds and
 * sizes.
 */

export const effectKinds = ['created', 'changed', 'moved', 'deleted'] as const satisfies readonly EffectKind[]

export const reviewReasons = [
  'asked',
  'skill',
  'deleted',
  'outside',
  'edited',
  'binary',
  'large',
] as const satisfies readonly ReviewReason[]

export const effectLimits = { maxFolders: 8, maxFiles: 200, maxBytes: 64_000_000, maxRuns: 1_000 } as const

/** A grant of the kind `effects`. */
export type EffectsGrant = Grant & { readonly scope: EffectsScope }

/** Rows of a copy as they are recorded. */
export const effectsOf = (
  rows: readonly (Omit<CopyEffect, 'from'> & { readonly from: string })[],
): readonly CopyEffect[] =>
  rows.map(({ path, change, from, size }) => ({ path, change, size, ...(from !== '' && { from }) }))

/** The first grant that is active `now` and was given before the reply; null: none. */
export const effectsGrantFor = (
  grants: readonly Grant[],
  reply: Parameters<typeof isForReply>[1],
  now: number,
): EffectsGrant | null =>
  grants.find(
    (grant): grant is EffectsGrant =>
      grant.scope.kind === 'effects' && isGrantActive(grant, now) && isForReply(grant, reply),
  ) ?? null

/** Whether a scope is valid: normalized absolute folders, and kinds of changes if it keeps any. */
export const isScopeSound = ({ folders, changes, maxFiles }: EffectsScope): boolean =>
  folders.length > 0 &&
  folders.every((folder) => isPlain(folder) && (folder === '/' || !folder.endsWith('/'))) &&
  (maxFiles === 0 || changes.length > 0)

/** How the changes of a task exceed a grant: the `count` and the first `path` of the changes that do. */
export type Excess =
  /** The model reads skills next, so changes to them always wait for the user. */
  | { readonly kind: 'folder' | 'skill'; readonly path: string; readonly count: number }
  | { readonly kind: EffectKind; readonly path: string; readonly count: number }
  | { readonly kind: 'files'; readonly count: number; readonly most: number }
  | { readonly kind: 'bytes'; readonly count: number; readonly most: number }

/** Only changes that leave a file count; a deletion leaves none. */
export const bytesOf = (effects: readonly CopyEffect[]): number =>
  effects.reduce((sum, { change, size }) => sum + (change === 'deleted' ? 0 : size), 0)

const isIn = (path: string, folder: string): boolean =>
  isPlain(path) && path.startsWith(folder === '/' ? '/' : `${folder}/`)

/** Every way in which the changes exceed the limits; empty: they are within the limits. */
export function excessOf(scope: EffectsScope, effects: readonly CopyEffect[]): readonly Excess[] {
  const found: Excess[] = []
  const add = (kind: EffectKind | 'folder' | 'skill', paths: readonly string[]) => {
    const [path] = paths
    if (path !== undefined) found.push({ kind, path, count: paths.length })
  }
  for (const kind of effectKinds) {
    const paths = effects.filter(({ change }) => change === kind).map(({ path }) => path)
    if (!scope.changes.includes(kind)) add(kind, paths)
  }
  const touched = effects.flatMap(({ path, change, from }) => (change === 'moved' ? [path, from ?? ''] : [path]))
  const isAllowed = (path: string) => scope.folders.some((folder) => isIn(path, folder))
  add(
    'folder',
    touched.filter((path) => !isAllowed(path)),
  )
  add('skill', touched.filter(isSkillPath))
  if (effects.length > scope.maxFiles) found.push({ kind: 'files', count: effects.length, most: scope.maxFiles })
  const bytes = bytesOf(effects)
  if (bytes > scope.maxBytes) found.push({ kind: 'bytes', count: bytes, most: scope.maxBytes })
  return found
}

const files = [3, 6, 12, 25, 50, 100, effectLimits.maxFiles] as const
const kilobytes = [10, 30, 60, 120, 250, 500, 1_000, 5_000, 20_000, 64_000] as const
const atLeast = (steps: readonly number[], value: number): number =>
  steps.find((step) => step >= value) ?? steps.at(-1) ?? value

/** The limits suggested after a task: its folders and a rounded size. Deletions are never included. */
export function suggestedScope(effects: readonly CopyEffect[]): EffectsScope {
  const moved = effects.some(({ change }) => change === 'moved')
  return {
    kind: 'effects',
    folders: commonFolders(effects.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]))),
    changes: moved ? ['created', 'changed', 'moved'] : ['created', 'changed'],
    maxFiles: atLeast(files, effects.length),
    maxBytes: atLeast(kilobytes, bytesOf(effects) / 1_000) * 1_000,
    runs: 10,
  }
}

/** After a task that went beyond a grant, and that the user kept: the grant's limits with room for such changes. */
export function widerScope(given: EffectsScope, effects: readonly CopyEffect[]): EffectsScope {
  const needed = suggestedScope(effects)
  const folders = [...new Set([...given.folders, ...needed.folders])]
  const outer = folders.filter((folder) => !folders.some((one) => one !== folder && isIn(folder, one)))
  const kinds = new Set([...given.changes, ...needed.changes])
  return {
    kind: 'effects',
    folders: outer.length > effectLimits.maxFolders ? ['/'] : outer,
    changes: effectKinds.filter((kind) => kinds.has(kind)),
    maxFiles: Math.max(given.maxFiles, needed.maxFiles),
    maxBytes: Math.max(given.maxBytes, needed.maxBytes),
    runs: Math.max(given.runs, needed.runs),
  }
}

/** The one folder above all, or else the folders below the root that hold them. */
function commonFolders(paths: readonly string[]): readonly string[] {
  const folders = paths.map((path) => path.split('/').slice(1, -1))
  const [first = []] = folders
  const at = first.findIndex((name, depth) => folders.some((names) => names[depth] !== name))
  const common = at < 0 ? first : first.slice(0, at)
  if (common.length > 0) return [`/${common.join('/')}`]
  const tops = [...new Set(folders.map(([top]) => (top === undefined ? '/' : `/${top}`)))].toSorted()
  return tops.length === 0 || tops.includes('/') || tops.length > effectLimits.maxFolders ? ['/'] : tops
}
