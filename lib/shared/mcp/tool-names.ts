import { foldToolName } from '@/lib/base/text/nearest-path'

/** Every provider and every call format accepts names up to this length. */
const MAX_NAME = 64
const MAX_PREFIX = 16

/**
 * The names for models, by the server's own: `fs` and `read.file` give `fs_read_file`. A name that would be too long,
 * empty, or equal to another of its server ends in four digits of a hash of the server's own name.
 */
export function toolNames(prefix: string, own: readonly string[]): ReadonlyMap<string, string> {
  const plain = own.map((name) => [name, joined(prefix, name)] as const)
  const uses = new Map<string, number>()
  for (const [, name] of plain) uses.set(foldToolName(name), (uses.get(foldToolName(name)) ?? 0) + 1)
  return new Map(
    plain.map(([name, made]) => {
      const isClear = made.length <= MAX_NAME && made !== `${prefix}_` && uses.get(foldToolName(made)) === 1
      return [name, isClear ? made : withMark(made, name)]
    }),
  )
}

const joined = (prefix: string, name: string): string =>
  `${prefix}_${name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').replaceAll(/^[_-]+|[_-]+$/g, '')}`

/** The name, cut if necessary, with four hex digits of a hash of `of`. */
export const withMark = (name: string, of: string): string =>
  `${name.slice(0, MAX_NAME - 5).replace(/_$/, '')}_${shortHash(of)}`

/** FNV-1a, folded to 16 bits: only to tell names apart. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return ((hash >>> 16) ^ (hash & 0xffff)).toString(16).padStart(4, '0')
}

/**
 * The prefix of a server's tool names: its name in letters and digits. It gets a number if another server has it, or if
 * a name would equal a built-in tool's.
 */
export function choosePrefix(
  name: string,
  taken: readonly string[],
  own: readonly string[],
  isFree: (name: string) => boolean,
): string {
  const [head = 'server', ...words] = name
    .toLowerCase()
    .replace(/^[^a-z]+/, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  // Whole words, as many as fit.
  let begin = head.slice(0, MAX_PREFIX)
  for (const word of words) {
    if (begin.length + word.length > MAX_PREFIX) break
    begin += word
  }
  for (let count = 1; ; count += 1) {
    const prefix = count === 1 ? begin : `${begin}${count}`
    if (!taken.includes(prefix) && [...toolNames(prefix, own).values()].every(isFree)) return prefix
  }
}
