import { sha256HexOfBytes, sha256Hex } from '@/lib/base/sha256-hex'
import { isSkillName, plainLine, skillLimits } from '@/lib/protocols/prompt/skill-lines'
import { err, ok, type Result } from '@/lib/base/result'

/*
 * The front matter of a SKILL.md (https://agentskills.io/specification), in the part of YAML that skills use:
 *   ---
 *   name: csv-report
 *   description: >-            plain, 'quoted', "quoted", or > blocks, plain text over several indented lines
 *     Sums up a table.
 *   metadata:                  one level of strings
 *     author: someone
 *   allowed-tools: Read Grep   also as a list
 *   ---
 * Unlike in YAML, a plain value may contain `: `, which many skills write. Anchors, aliases, tags and flow maps are
 * refused,
 * never resolved: foreign text must not grow while it is parsed.
 */

export interface SkillHead {
  readonly name: string
  readonly description: string
  readonly license: string
  readonly compatibility: string
  /** The skill's stated requirements. They are shown, and grant nothing. */
  readonly allowedTools: string
  readonly metadata: readonly (readonly [key: string, value: string])[]
}

/** `line`: counted from 1. */
export type HeadFlaw =
  | { readonly kind: 'no-head' }
  | { readonly kind: 'not-closed' }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'twice'; readonly key: string }
  | { readonly kind: 'not-understood'; readonly line: number }

const maxHeadChars = 16_000
const maxMetadata = 40
const keyLine = /^([A-Za-z_][\w-]{0,63})[ \t]*:(?:[ \t]+(.*)|[ \t]*)$/
const quotedKeyLine = /^(["'])([A-Za-z_][\w-]{0,63})\1[ \t]*:(?:[ \t]+(.*)|[ \t]*)$/
const known = ['name', 'description', 'license', 'compatibility', 'allowed-tools'] as const

/** A value and its lines. */
interface Field {
  readonly key: string
  readonly line: number
  readonly first: string
  /** The indented lines below, unchanged. */
  readonly rest: readonly string[]
}

class NotUnderstood extends Error {
  readonly line: number
  constructor(line: number) {
    super(`line ${line}`)
    this.line = line
  }
}

export function readHead(text: string): Result<SkillHead, HeadFlaw> {
  const lines = text
    .slice(0, maxHeadChars + 1)
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
  if (lines[0]?.trimEnd() !== '---') return err({ kind: 'no-head' })
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(line))
  if (end < 0) return err({ kind: text.length > maxHeadChars ? 'too-long' : 'not-closed' })
  try {
    const fields = fieldsOf(lines.slice(1, end))
    const byKey = new Map<string, Field>()
    for (const field of fields) {
      if (byKey.has(field.key)) return err({ kind: 'twice', key: field.key })
      byKey.set(field.key, field)
    }
    const [name, description, license, compatibility, allowedTools] = known.map((key) => {
      const field = byKey.get(key)
      return field ? (key === 'allowed-tools' ? listOf(field) : valueOf(field)) : ''
    })
    const metadata = byKey.get('metadata')
    return ok({
      name: name ?? '',
      description: description ?? '',
      license: license ?? '',
      compatibility: compatibility ?? '',
      allowedTools: allowedTools ?? '',
      metadata: metadata ? mapOf(metadata) : [],
    })
  } catch (error) {
    if (error instanceof NotUnderstood) return err({ kind: 'not-understood', line: error.line })
    throw error
  }
}

/** The part of a SKILL.md after its front matter; all of it if there is none. */
export function bodyOf(text: string): string {
  const found = /^\uFEFF?---[ \t]*\r?\n[^]*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text)
  return found ? text.slice(found[0].length) : text
}

const isBlank = (line: string) => /^[ \t]*(?:#.*)?$/.test(line)

function fieldsOf(lines: readonly string[], offset = 2): readonly Field[] {
  const fields: { key: string; line: number; first: string; rest: string[] }[] = []
  for (const [at, line] of lines.entries()) {
    const last = fields.at(-1)
    const isInner = /^[ \t]/.test(line) || line === '' || (last?.first === '' && /^-(?:[ \t]|$)/.test(line))
    if (last && isInner) {
      last.rest.push(line)
      continue
    }
    if (isBlank(line)) continue
    const plain = keyLine.exec(line)
    const quoted = plain ? null : quotedKeyLine.exec(line)
    const key = plain?.[1] ?? quoted?.[2]
    if (key === undefined) throw new NotUnderstood(at + offset)
    fields.push({ key, line: at + offset, first: (plain?.[2] ?? quoted?.[3] ?? '').trim(), rest: [] })
  }
  return fields
}

function valueOf({ first, rest, line }: Field): string {
  const block = /^([|>])[+-]?\d?[+-]?[ \t]*(?:#.*)?$/.exec(first)
  if (block) return blockOf(rest, block[1] === '>')
  if (first.startsWith('"') || first.startsWith("'"))
    return quotedOf(
      [first, ...rest].map((one) => one.trim()),
      line,
    )
  // Deliberately not resolved: anchor, alias, tag, flow map, directive.
  if (/^[&*!{%@`]/.test(first)) throw new NotUnderstood(line)
  return [first, ...rest]
    .map((one) => withoutComment(one).trim())
    .filter((one) => one !== '')
    .join(' ')
}

const withoutComment = (line: string): string => (/^[ \t]*#/.test(line) ? '' : line.replace(/[ \t]#.*$/, ''))

function blockOf(rest: readonly string[], isFolded: boolean): string {
  const indents = rest.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length)
  const indent = Math.min(...indents, 100)
  const lines = rest.map((line) => line.slice(indent).trimEnd())
  if (!isFolded) return lines.join('\n').trim()
  return lines
    .join('\n')
    .trim()
    .replaceAll(/\n{2,}/g, '\0')
    .replaceAll('\n', ' ')
    .replaceAll('\0', '\n')
}

function quotedOf(lines: readonly string[], line: number): string {
  const text = lines.filter((one) => one !== '').join(' ')
  const found = text.startsWith('"')
    ? /^"((?:[^"\\]|\\.)*)"[ \t]*(?:#.*)?$/.exec(text)
    : /^'((?:[^']|'')*)'[ \t]*(?:#.*)?$/.exec(text)
  if (found?.[1] === undefined) throw new NotUnderstood(line)
  if (!text.startsWith('"')) return found[1].replaceAll("''", "'")
  const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }
  return found[1].replaceAll(/\\(u[\dA-Fa-f]{4}|.)/g, (_, one: string) =>
    one.length === 5 ? String.fromCharCode(Number.parseInt(one.slice(1), 16)) : (escapes[one] ?? one),
  )
}

/** `a, b`, `[a, b]` or lines that begin with a dash, joined by spaces. */
function listOf(field: Field): string {
  const { first, rest } = field
  if (first === '') {
    const items = rest.filter((line) => !isBlank(line)).map((line) => line.trim())
    if (items.every((item) => item.startsWith('-'))) {
      return items.map((item) => withoutComment(item).slice(1).trim()).join(' ')
    }
  }
  const flow = /^\[(.*)\]$/.exec(first)
  return (flow?.[1] ?? valueOf(field)).replaceAll(/["']/g, '')
}

function mapOf({ first, rest, line }: Field): SkillHead['metadata'] {
  if (first !== '' && !first.startsWith('#')) throw new NotUnderstood(line)
  const indent = rest.find((one) => !isBlank(one))?.match(/^[ \t]*/)?.[0] ?? ''
  const inner = rest.map((one) => (one.startsWith(indent) ? one.slice(indent.length) : one.trimStart()))
  return fieldsOf(inner, line + 1)
    .slice(0, maxMetadata)
    .map((field) => [field.key, valueOf(field)] as const)
}

/** The limits of one skill; larger ones are no skills. */
export const skillSizeLimits = { files: 200, bytes: 5_000_000, fileBytes: 2_000_000 } as const

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
  sizes.length > skillSizeLimits.files ||
  sizes.some((size) => size > skillSizeLimits.fileBytes) ||
  sizes.reduce((sum, size) => sum + size, 0) > skillSizeLimits.bytes

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
