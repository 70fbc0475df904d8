import makeIgnore, { type Ignore } from 'ignore'

/*
 * Which files of a folder are left out: by `.gitignore` files at any depth, as Git reads them, and by names that are
 * always left out.
 */

/** The trash folder for deleted files. */
export const trashName = '.nod-trash'

const neverTaken = new Set(['.git', 'node_modules', trashName, '.DS_Store', 'Thumbs.db', 'desktop.ini'])

/** Never read nor written, whatever the rules say: a program in `.git/hooks` would run outside the browser. */
export const isNeverTaken = (name: string): boolean => neverTaken.has(name) || name.endsWith('.crswap')

/** True if a name in the path is always left out. Names are compared without case, as some disks do. */
export const leadsToNeverTaken = (path: string): boolean =>
  path.split('/').some((name) => isNeverTaken(name) || isNeverTaken(name.toLowerCase()))

const maxRules = 2_000
const maxRuleLength = 500
/** A pattern with many stars in one name can take exponential time on a long name. */
const maxStars = 3

const isUsable = (rule: string): boolean =>
  rule.length <= maxRuleLength && rule.split('/').every((part) => (part.match(/\*+/g)?.length ?? 0) <= maxStars)

interface Level {
  /** The folder of the file, relative; '' is the root. */
  readonly folder: string
  readonly rules: Ignore
}

export type IgnoreRules = readonly Level[]

/** The rules below `folder`, which contains this `.gitignore`. */
export function withRules(above: IgnoreRules, folder: string, text: string): IgnoreRules {
  const usable = text.split(/\r?\n/).slice(0, maxRules).filter(isUsable)
  return [...above, { folder, rules: makeIgnore({ ignorecase: false, allowRelativePaths: true }).add(usable) }]
}

/** Whether a path is ignored. Assumes that its parent folders are not, because ignored folders are never searched. */
export function isIgnored(rules: IgnoreRules, path: string, kind: 'file' | 'directory'): boolean {
  let ignored = false
  for (const { folder, rules: level } of rules) {
    if (folder !== '' && !path.startsWith(`${folder}/`)) continue
    const below = folder === '' ? path : path.slice(folder.length + 1)
    const found = level.test(kind === 'directory' ? `${below}/` : below)
    if (found.ignored) ignored = true
    else if (found.unignored) ignored = false
  }
  return ignored
}
