import * as Char from '../text/source'
import { type Source, isWordPart } from '../text/source'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { type Outcome, type ReadContext, finishCall, type Dialect } from '../arguments/dialect'
import { isUnsafeKey } from '../json-repair/node'
import type { RepairCode } from '../types/segment'

export interface ElementContent {
  readonly text: string
  readonly end: number
}

/** The beginning of an opening tag; its bracket may be lost. */
export const OPEN_TAG = String.raw`(?:<[ \t]?|(?<![\w/<:|｜‖.-]))`

const CDATA = '<![CDATA['

/** Global expressions for the tags of a dialect, as it writes them; group 1 is the name. */
export interface OwnTags {
  readonly openers: RegExp
  readonly closers: RegExp
}

/**
 * The value up to the first `closer` after which the call continues, skipping white space: any other closer is data,
 * for example inside a file. CDATA is unwrapped, and protects its content. A value that contains openers of its own
 * kind must contain their closers too: otherwise its own closer is damaged, and the value would swallow the next
 * parameter.
 */
export function valueUntil(
  source: Source,
  from: number,
  closer: string,
  continues: (i: number) => boolean,
  tags: OwnTags | null = null,
): ElementContent | null {
  const first = source.skipSpace(from)
  const cdata = source.at(first) === Char.LESS && source.has(first, CDATA)
  const ending = cdata ? ']]>' : closer
  const open = new OpenTags(tags)
  let counted = from
  for (let i = cdata ? first + CDATA.length : from; ; i++) {
    i = source.find(ending, i)
    if (i < 0) return null
    const close = cdata ? source.skipSpace(i + ending.length) : i
    if (cdata && !source.has(close, closer)) continue
    open.count(source.text.slice(counted, i))
    counted = i
    // The end of this CDATA section was damaged: it ran on into another section.
    if (cdata && source.text.slice(first + CDATA.length, i).includes(`>${CDATA}`)) return null
    const end = close + closer.length
    if (open.any) continue
    if (!continues(source.skipSpace(end))) {
      // After a closer that is data, text continues; markup there is a damaged tag of the call.
      if (tags && source.at(source.skipSpace(end)) === Char.LESS) return null
      continue
    }
    return {
      text: cdata ? source.text.slice(first + CDATA.length, i) : withoutNewlines(source.text.slice(from, i)),
      end,
    }
  }
}

/** Counts the tags of a dialect that were opened in a value and not closed. */
class OpenTags {
  private readonly tags: OwnTags | null
  private readonly depths = new Map<string, number>()

  constructor(tags: OwnTags | null) {
    this.tags = tags
  }

  count(text: string): void {
    if (!this.tags) return
    const found = (tags: RegExp, by: number) =>
      [...text.matchAll(tags)].map((one) => ({ at: one.index, name: (one[1] ?? '').toLowerCase(), by }))
    const tags = [...found(this.tags.openers, 1), ...found(this.tags.closers, -1)]
    for (const { name, by } of tags.toSorted((a, b) => a.at - b.at)) {
      // A closer without an opener is data.
      this.depths.set(name, Math.max(0, (this.depths.get(name) ?? 0) + by))
    }
  }

  get any(): boolean {
    for (const depth of this.depths.values()) if (depth > 0) return true
    return false
  }
}

/** Removes at most one newline at each end. */
const withoutNewlines = (text: string): string => text.replace(/^\r?\n/, '').replace(/\r?\n$/, '')

/** The value of an attribute in an opening tag. */
export function attributeOf(attributes: string, name: string): string | null {
  const found = new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>/]+))`, 'i').exec(attributes)
  return found ? (found[1] ?? found[2] ?? found[3] ?? '') : null
}

export type Arguments = Record<string, JsonValue>

export const noArguments = (): Arguments => Object.create(null) as Arguments

export function putArgument(args: Arguments, key: string, value: JsonValue): void {
  if (!isUnsafeKey(key)) args[key] = value
}

/** One whole call of a foreign dialect, in `[start, end)`. */
export function completeCall(
  source: Source,
  start: number,
  end: number,
  raw: { readonly name: string; readonly arguments: JsonObject; readonly repairs?: readonly RepairCode[] },
  context: ReadContext,
  foreignAs?: string,
): Outcome {
  source.certain = { start, name: raw.name }
  const call = finishCall({ ownId: null, repairs: [], ...raw }, context.tools)
  return {
    kind: 'parts',
    end,
    parts: [{ kind: 'call', start, end, call, ...(foreignAs === undefined ? {} : { foreignAs }) }],
  }
}

/*
 * GLM 4.5 and later:
 *
 *   <tool_call>read_file
 *   <arg_key>path</arg_key>
 *   <arg_value>/a</arg_value>
 *   </tool_call>
 *
 * A name alone is a call only of a known tool: it could be any word in a tag.
 */

const OPEN = '<tool_call>'
const CLOSE = '</tool_call>'
const KEY = '<arg_key>'
const VALUE = '<arg_value>'
const MAX_NAME = 90
const TAGS: OwnTags = { openers: /<(arg_key|arg_value|tool_call)>/g, closers: /<\/(arg_key|arg_value|tool_call)>/g }

export const glmDialect: Dialect = {
  id: 'glm',
  triggers: '<',
  starts: [OPEN],
  fences: [],
  read(source, start, context) {
    if (!source.has(start, OPEN)) return null
    const from = source.skipSpace(start + OPEN.length)
    let end = from
    while ((isWordPart(source.at(end)) || source.at(end) === Char.COLON) && end - from < MAX_NAME) end++
    const name = source.text.slice(from, end)
    let i = source.skipSpace(end)
    if (name === '' || !(source.has(i, KEY) || (source.has(i, CLOSE) && context.tools.match(name)))) return null
    source.certain = { start, name }
    const args = noArguments()
    while (source.has(i, KEY)) {
      const key = valueUntil(source, i + KEY.length, '</arg_key>', () => true)
      const at = key ? source.skipSpace(key.end) : i
      // A key that contains markup is two merged elements.
      if (!key || key.text.includes('<') || key.text.length > MAX_NAME || !source.has(at, VALUE)) return null
      const value = valueUntil(
        source,
        at + VALUE.length,
        '</arg_value>',
        (next) => source.has(next, KEY) || source.has(next, CLOSE),
        TAGS,
      )
      if (!value) return null
      putArgument(args, key.text.trim(), value.text)
      i = source.skipSpace(value.end)
    }
    return source.has(i, CLOSE)
      ? completeCall(source, start, i + CLOSE.length, { name, arguments: args }, context)
      : null
  },
}
