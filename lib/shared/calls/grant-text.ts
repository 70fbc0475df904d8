import { isGrantActive } from './copy'
import { asUntrusted, asWritten } from '@/lib/base/untrusted-text/foreign'
import type { Grant } from '@/lib/shared/conversation/call-record'
import { formatBytes } from '@/lib/base/text/locale'
import type { CopyEffect } from '@/lib/shared/conversation/wire/call-requests'
import type { EffectKind, EffectsScope } from '@/lib/shared/conversation/copy-scopes'
import { t } from '@/lib/i18n/t'
import type { OpenCopy } from './copy'
import { effectsOf, excessOf, type Excess } from './effects'

/** What a grant covers, as text after "don't ask again for" and "you allowed". */
export function scopeText(scope: Grant['scope']): string {
  switch (scope.kind) {
    case 'copy':
      return t('grants.copy')
    case 'effects':
      return effectsText(scope)
    case 'unreadable':
      return t('grants.unreadable')
    case 'arguments':
      return t('grants.arguments', { tool: scope.tool })
    case 'folder':
      return t('grants.folder', { tool: scope.tool, folder: asWritten(folderText(scope.folder)) })
    case 'tool':
      return t('grants.tool', { tool: scope.tool })
    case 'host':
      return t('grants.host', { tool: scope.tool, host: asWritten(hostWords(scope.origin)) })
  }
}

/** "changes in /src and its subfolders, kept without asking (new files, no deletions; up to 12 files and 60 kB a task; 10 tasks)" */
export function effectsText({ folders, changes, maxFiles, maxBytes, runs }: EffectsScope): string {
  const where = folders.map((folder) => asWritten(folderText(folder)))
  if (maxFiles === 0) return t('grants.effects-begin')
  return t('grants.effects', {
    folders: where,
    kinds: changes.map((kind) => t(`grants.effects.${kind}`)),
    deletes: changes.includes('deleted') ? 'yes' : 'no',
    files: maxFiles,
    size: maxBytes,
    runs,
  })
}

/** Why the grant under which the copy began does not keep its changes, one sentence each; empty: it does. */
export function whatIsBeyond(
  { scope: { under, allowed } }: OpenCopy,
  grants: readonly Grant[],
  changes: { readonly rows: Parameters<typeof effectsOf>[0]; readonly editedBeside: readonly string[] },
  now: number,
): readonly string[] {
  const grant = grants.find(({ id }) => id === under)
  const isUsable = grant && (allowed ? grant.revokedAt === null : isGrantActive(grant, now))
  if (!isUsable || grant.scope.kind !== 'effects') return [t('copy.beyond.ended')]
  return [
    ...excessOf(grant.scope, effectsOf(changes.rows)).map(excessWords),
    ...(changes.editedBeside.length > 0 ? [t('copy.beyond.edited')] : []),
  ]
}

/** All of them, as one text. */
export const beyondText = (reasons: readonly string[]): string => t('copy.beyond-why', { reasons })

/** "2 files are deleted, such as /src/a.ts." */
function excessWords(excess: Excess): string {
  switch (excess.kind) {
    case 'files':
      return t('copy.beyond.files', { count: excess.count, most: excess.most })
    case 'bytes':
      return t('copy.beyond.bytes', { size: excess.count, most: excess.most })
    default:
      return t(`copy.beyond.${excess.kind}`, { count: excess.count, path: asUntrusted(excess.path) })
  }
}

/** Hosts are compared as written, so a name in other letters is shown in punycode. */
export const hostWords = (origin: string): string => asUntrusted(origin.replace(/^https:\/\//, ''))

/** A folder includes everything below it, and the root is everything. */
export const folderText = (folder: string): string =>
  folder === '/' ? t('grants.every-folder') : t('grants.below', { folder: asUntrusted(folder) })

/** The durations that the user can choose for a grant: milliseconds; null: as long as the chat. */
export const grantLifetimes: readonly (number | null)[] = [null, 15 * 60_000, 60 * 60_000, 8 * 60 * 60_000]

const minutes = 60_000
const hours = 60 * minutes
const days = 24 * hours

/** A duration as text, in the largest unit that it fills: "15 minutes", "1 hour", "8 hours". */
export function lifetimeText(ms: number): string {
  if (ms >= days) return t('grants.days', { count: Math.floor(ms / days) })
  if (ms >= hours) return t('grants.hours', { count: Math.floor(ms / hours) })
  return t('grants.minutes', { count: Math.max(1, Math.ceil(ms / minutes)) })
}

/** "1 file changed, 2 new · 4 kB" */
export function changedText(changes: readonly Pick<CopyEffect, 'change' | 'size'>[]): string {
  const of = (kind: EffectKind) => changes.filter(({ change }) => change === kind).length
  const bytes = changes.reduce((sum, { change, size }) => sum + (change === 'deleted' ? 0 : size), 0)
  const counts = t('copy.counts', {
    changed: of('changed'),
    created: of('created'),
    moved: of('moved'),
    deleted: of('deleted'),
  })
  return [counts.replace(/^[,，]\s*/, ''), formatBytes(bytes)].join(' · ')
}
