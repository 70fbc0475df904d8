import { asUntrusted, type Foreign } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'

/** A name inside of a sentence of ours: quoted and cut, so that it never goes on in our voice. */
export const named = (path: string): Foreign =>
  asUntrusted(path.length > 80 ? `${path.slice(0, 80).replace(/[\ud800-\udbff]$/, '')}…` : path)

/** "/a.md" or "3 items". */
export const namedOr = (paths: readonly string[]): string => {
  const [first] = paths
  return paths.length === 1 && first !== undefined ? named(first) : t('files-explorer.items', { count: paths.length })
}
