import { sha256HexOfBytes, sha256Hex } from '@/lib/base/sha256-hex'
import { isSkillName, plainLine, skillLimits } from '@/lib/protocols/prompt/skill-lines'
import { type HeadFlaw, readHead, type SkillHead } from './frontmatter'

/** The limits of one skill; larger ones are no skills. */
export const mostSkill = { files: 200, bytes: 5_000_000, fileBytes: 2_000_000 } as const

export const skillFile = 'SKILL.md'

/** A file of a skill; `path` relative to its folder, like `scripts/report.py`. */
export interface SkillFile {
  readonly path: string
  readonly data: Uint8Array
}

export type SkillFlaw =
  | { readonly kind: 'no-skill-file' }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'not-text' }
  | { readonly kind: 'head'; readonly flaw: HeadFlaw }
  | { readonly kind: 'no-name' }
  | { readonly kind: 'bad-name'; readonly name: string }
  | { readonly kind: 'other-name'; readonly name: string; readonly folder: string }
  | { readonly kind: 'no-description' }

export interface Skill {
  readonly head: SkillHead
  /** The description as the model reads it: one line, without invisible characters. */
  readonly line: string
  /** The description is longer than the specification allows. */
  readonly isLong: boolean
}

/** Reads a folder's files as a skill. `folder`: its name; null: not placed yet, the name in the front matter counts. */
export function readSkill(folder: string | null, files: readonly SkillFile[]): Skill | SkillFlaw {
  if (isTooLarge(files.map(({ data }) => data.byteLength))) return { kind: 'too-large' }
  const main = files.find(({ path }) => path === skillFile)
  if (!main) return { kind: 'no-skill-file' }
  const text = textOf(main.data)
  if (text === null) return { kind: 'not-text' }
  const read = readHead(text)
  if (!read.ok) return { kind: 'head', flaw: read.error }
  const head = read.value
  const { name } = head
  if (name === '') return { kind: 'no-name' }
  if (!isSkillName(name)) return { kind: 'bad-name', name }
  if (folder !== null && folder !== name) return { kind: 'other-name', name, folder }
  const line = plainLine(head.description)
  if (line === '') return { kind: 'no-description' }
  return { head, line, isLong: head.description.length > skillLimits.descriptionChars }
}

export const isSkill = (read: Skill | SkillFlaw): read is Skill => 'head' in read && !('kind' in read)

export const isTooLarge = (sizes: readonly number[]): boolean =>
  sizes.length > mostSkill.files ||
  sizes.some((size) => size > mostSkill.fileBytes) ||
  sizes.reduce((sum, size) => sum + size, 0) > mostSkill.bytes

/** Null for invalid UTF-8. */
export function textOf(data: Uint8Array): string | null {
  if (data.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data)
  } catch {
    return null
  }
}

/**
 * The hash that an approval is for: SHA-256 over the sorted paths of the folder, each with the SHA-256 of its content.
 * Any changed, added or removed file makes another skill.
 */
export async function skillHash(files: readonly SkillFile[]): Promise<string> {
  const lines = await Promise.all(
    files.map(async ({ path, data }) => JSON.stringify([path, await sha256HexOfBytes(data)])),
  )
  return sha256Hex(lines.toSorted().join('\n'))
}
