// File name patterns, as shells and editors have them, without a regular expression behind, so that no pattern is slow:
//
//   *.md           names at any depth      src/**/*.ts    paths below the folder that is searched
//   /notes/*.md    paths from the root     {a,b}, ?, [a-z] and [!x] as usual; ** is any number of folders
//
// Case does not count. `*` and `?` stay within a name.

export type PathMatcher = (path: string) => boolean

const maxAlternatives = 64

/** `a{b,c}d` → `abd`, `acd`, also nested; more than 64 alternatives stay unexpanded. */
function expandBraces(pattern: string): readonly string[] {
  let open = [pattern]
  for (let rounds = 0; rounds < maxAlternatives; rounds++) {
    const next = open.flatMap((one) => {
      // The innermost braces: none of their alternatives holds another one.
      const found = /\{([^{}]*,[^{}]*)\}/.exec(one)
      if (found === null) return [one]
      const [whole, inner = ''] = found
      const before = one.slice(0, found.index)
      return inner.split(',').map((part) => before + part + one.slice(found.index + whole.length))
    })
    if (next.length === open.length && next.every((one, at) => one === open[at])) return open
    if (next.length > maxAlternatives) return open
    open = next
  }
  return open
}

/** What stands for one character at `at` of a pattern, and where the pattern goes on. */
function characterAt(
  pattern: string,
  at: number,
): { readonly fits: (character: string) => boolean; readonly end: number } {
  const own = pattern[at] ?? ''
  if (own === '?') return { fits: () => true, end: at + 1 }
  const close = own === '[' ? pattern.indexOf(']', at + 2) : -1
  if (close < 0) return { fits: (character) => character === own, end: at + 1 }
  const set = pattern.slice(at + 1, close)
  const not = /^[!^]/.test(set)
  const members = not ? set.slice(1) : set
  const holds = (character: string) => {
    for (let i = 0; i < members.length; i++) {
      const [from = '', dash, to = ''] = [members[i], members[i + 1], members[i + 2]]
      if (dash === '-' && to !== '') {
        if (from <= character && character <= to) return true
        i += 2
      } else if (from === character) return true
    }
    return false
  }
  return { fits: (character) => holds(character) !== not, end: close + 1 }
}

/** One name against one part of a pattern: the last `*` takes one more character whenever the rest does not fit. */
function nameFits(name: string, pattern: string): boolean {
  let [at, to] = [0, 0]
  let star: { readonly after: number; taken: number } | null = null
  while (at < name.length) {
    if (pattern[to] === '*') {
      star = { after: ++to, taken: at }
      continue
    }
    const one = to < pattern.length ? characterAt(pattern, to) : null
    if (one?.fits(name[at] ?? '') === true) {
      at += 1
      to = one.end
    } else if (star !== null) {
      star.taken += 1
      at = star.taken
      to = star.after
    } else return false
  }
  while (pattern[to] === '*') to += 1
  return to === pattern.length
}

/** Names of a path against parts of a pattern, where `**` stands for any number of names; the same walk as above. */
function partsFit(names: readonly string[], parts: readonly string[]): boolean {
  let [at, to] = [0, 0]
  let star: { readonly after: number; taken: number } | null = null
  while (at < names.length) {
    const part = parts[to]
    if (part === '**') {
      star = { after: ++to, taken: at }
    } else if (part !== undefined && nameFits(names[at] ?? '', part)) {
      at += 1
      to += 1
    } else if (star !== null) {
      star.taken += 1
      at = star.taken
      to = star.after
    } else return false
  }
  while (parts[to] === '**') to += 1
  return to === parts.length
}

const namesOf = (path: string) => path.split('/').filter((name) => name !== '')

/** Says whether a file is meant: `path` is absolute and normalised, and lies in `folder`. */
export function globMatcher(glob: string, folder: string): PathMatcher {
  const patterns = expandBraces(glob.trim().normalize('NFC').toLowerCase()).map((pattern) => {
    const rooted = pattern.startsWith('/')
    const parts = namesOf(pattern)
    // A pattern of one name is looked for in every folder.
    return { rooted, parts: rooted || pattern.includes('/') ? parts : ['**', ...parts] }
  })
  const depth = namesOf(folder).length
  return (path) => {
    const names = namesOf(path.toLowerCase())
    return patterns.some(({ rooted, parts }) => partsFit(rooted ? names : names.slice(depth), parts))
  }
}
