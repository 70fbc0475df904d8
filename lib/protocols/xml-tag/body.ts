import { nameOfBroken } from '../arguments/call-object'
import { brokenPart, callPart, CERTAIN, failedPart, type ReadingDoubts } from '../arguments/call-part'
import type { Breakage, Outcome, Part } from '../arguments/dialect'
import type { JsonNode } from '../json-repair/node'
import { readJson } from '../json-repair/read-json'
import { type JsonReading, RepairIndex } from '../json-repair/json-reading'
import { peekKey } from '../json-repair/characters'
import { isDamaged, settleParts } from '../scan/call-list'
import { breakCall, structureContinues } from '../scan/json-tail'
import { isCutCloser, readTag } from '../scan/tags'
import type { RepairCode } from '../types/segment'
import * as Char from '../text/source'
import { Source } from '../text/source'
import { tagBefore, TAG, valueContinues, readChildElements } from './markup'
import { BodyEnd, MAX_NOISE } from './body-end'

/** One JSON value of a body. */
interface Value {
  readonly node: JsonNode
  readonly reading: JsonReading
  /** Where surplus closing brackets end, if they are between this value and the next one. */
  readonly bracketsEnd: number | null
}

/** Reads the text after an opening tag: calls as JSON, in any wrapping, up to the closing tag. */
export class BodyReader extends BodyEnd {
  read(from: number): Outcome | null {
    const { source } = this
    let i = source.skipSpace(from)
    if (source.has(i, '<![CDATA[')) {
      this.repairs.push('cdata')
      this.inCdata = true
      i = source.skipSpace(i + 9)
    }
    if (source.at(i) === Char.BACKTICK || source.at(i) === Char.TILDE) {
      const opened = this.openFence(i)
      if (opened === null) return null
      i = source.skipSpace(opened)
    }
    const unit = source.at(i)
    if (unit === Char.LESS) return this.children(i)
    if (unit === Char.OPEN_BRACE || unit === Char.OPEN_BRACKET || unit === Char.QUOTE) return this.json(i)
    return this.afterNoise(i)
  }

  /** Text before the object: accepted only if the closing tag proves that it is a call. */
  private afterNoise(from: number): Outcome | null {
    const { source } = this
    let i = from
    for (; i - from <= MAX_NOISE; i++) {
      const unit = source.at(i)
      if (unit === Char.OPEN_BRACE || unit === Char.OPEN_BRACKET) break
      // A quote is the rest of an enclosing object.
      if (unit < 0 || unit === Char.LESS || unit === Char.BACKTICK || unit === Char.QUOTE) return null
    }
    if (source.at(i) !== Char.OPEN_BRACE || peekKey(source, i) === null) return null
    const outcome = this.json(i, true)
    if (outcome?.kind !== 'parts' || outcome.parts.some((part) => part.kind !== 'call')) return null
    return outcome
  }

  private json(from: number, needCloser = false): Outcome | null {
    const { source, context, start } = this
    if (source.at(from) === Char.OPEN_BRACE) source.certain = { start, name: null }
    const nodes: Value[] = []
    let i = from
    let end = from
    let failed: JsonReading | null = null
    for (;;) {
      const reading = readJson(source, i, {
        isStop: (at) => this.isStop(at),
        several: true,
        isCut: (at) => source.at(at) === Char.LESS && valueContinues(source, at),
        cutBefore: (quote) => tagBefore(source, quote),
        mayFollow: (at) =>
          (source.at(at) === Char.LESS && this.endsGuess(at)) ||
          (this.inCdata && source.at(at) === Char.CLOSE_BRACKET) ||
          (this.fence !== null && source.at(at) === this.fence.char),
        shape: context.tools.callShape,
      })
      source.certain = { start, name: nameOfBroken(calls(reading.node)[0] ?? null) ?? source.certain?.name ?? null }
      if (reading.failure) {
        if (!source.decided) return null
        const decoded = nodes.length === 0 ? this.entities(from) : null
        if (decoded) return decoded
        if (reading.node === null && nodes.length === 0) return null
        failed = reading
        break
      }
      if (!reading.node) break
      end = reading.end
      const next = this.nextObject(end)
      nodes.push({ node: reading.node, reading, bracketsEnd: next?.bracketsEnd ?? null })
      if (next === null) break
      i = next.at
    }
    if (
      source.at(from) !== Char.OPEN_BRACE &&
      !failed &&
      !nodes.some(({ node }) => calls(node).some((call) => call.kind === 'object'))
    )
      return null
    if (failed) return this.broken(nodes, failed)
    const continues = structureContinues(source, end)
    const next = source.skipSpace(end)
    const isCut = !isCutCloser(source, next, TAG) && waitsForMore(source, next)
    const closed = this.close(end, continues)
    if (needCloser && !closed.own) return null
    if (needCloser) this.repairs.push('noise')
    const parts = this.parts(nodes, closed.end, closed.repairs)
    if (continues) parts.push(...breakCall(parts.pop()))
    else if (isCut && !closed.own) parts.push(...cutCall(parts.pop(), end))
    return { kind: 'parts', end: closed.end, parts }
  }

  private parts(nodes: readonly Value[], end: number, extra: readonly RepairCode[]): Part[] {
    const flat = nodes.flatMap(({ node, reading, bracketsEnd }) => {
      const repairs = new RepairIndex(reading.repairs)
      return calls(node).map((call, i, all) => ({
        call,
        reading,
        repairs,
        lastOfNode: i === all.length - 1,
        bracketsEnd: i === all.length - 1 ? bracketsEnd : null,
        wrapped: node.kind === 'object' && call !== node,
      }))
    })
    let from = this.start
    const parts = flat.map(({ call, reading, repairs, lastOfNode, bracketsEnd, wrapped }, index) => {
      const last = index === flat.length - 1
      const to = last ? end : Math.max(from + 1, Math.min(bracketsEnd ?? call.end, end - (flat.length - index - 1)))
      const codes = new Set<RepairCode>([
        ...this.repairs,
        ...(last ? extra : []),
        ...(wrapped ? ['unwrapped' as const] : []),
        ...(bracketsEnd !== null ? ['extra-bracket' as const] : []),
        ...repairs.between(from, lastOfNode ? Infinity : to),
      ])
      const part = this.part(call, from, to, codes, reading)
      from = to
      return part
    })
    return settleParts(
      parts,
      nodes.some(({ reading, bracketsEnd }) => bracketsEnd !== null || isDamaged(reading)),
    )
  }

  private part(call: JsonNode, start: number, end: number, codes: Set<RepairCode>, doubts: ReadingDoubts): Part {
    let node = call
    if (node.kind === 'string') {
      const inner = decodeCall(node.value)
      if (inner) {
        node = inner
        codes.add('double-encoded')
      }
    }
    return node.kind === 'object'
      ? callPart(node, start, end, codes, this.context.tools, doubts)
      : brokenPart(start, end, { reason: 'missing-name' })
  }

  /** Complete calls before the damage are kept; the damaged one extends to its closer, the next opener, or the end. */
  private broken(nodes: readonly Value[], failed: JsonReading): Outcome | null {
    const { source } = this
    const failure = failed.failure
    if (!failure) return null
    const done = [...nodes]
    let open = failed.node
    if (open?.kind === 'array') {
      const whole = open.items.filter((item) => item.closed)
      if (whole.length > 0) done.push({ node: { ...open, items: whole }, reading: failed, bracketsEnd: null })
      open = open.items.find((item) => !item.closed) ?? open
    }
    const end = failure.reason === 'truncated' && failure.at >= source.text.length ? failure.at : this.recover(failure)
    const doneEnd = lastEnd(done.at(-1)?.node, failure.at)
    const parts = done.length > 0 ? this.parts(done, doneEnd, []) : []
    // If the damage begins with a key of the last call, that call is part of the damage.
    if (failure.reason === 'bad-json' && (isText(done.at(-1)?.node) || structureContinues(source, doneEnd))) {
      const at = parts.findLastIndex((part) => part.kind === 'call')
      if (at >= 0) parts.splice(at, 1, ...breakCall(parts[at]))
    }
    const from = parts.at(-1)?.end ?? this.start
    const name = nameOfBroken(open)
    // The closing tag itself is cut off: the failure is the end of the text.
    const reason = isCutCloser(source, failure.at, TAG) ? 'truncated' : failure.reason
    if (end > from) parts.push(failedPart(from, end, { ...failure, reason }, name))
    return { kind: 'parts', end, parts }
  }

  private recover(failure: { at: number }): number {
    const { source, context } = this
    for (let i = failure.at; ; i++) {
      const unit = source.at(i)
      if (unit < 0) return i
      if (unit === Char.LESS) {
        const closer = readTag(source, i, TAG, true)
        if (closer) return closer.end
        if (readTag(source, i, TAG, false)) return i
      } else if ((unit === Char.BACKTICK || unit === Char.TILDE) && context.isFenceEnd(i)) return i
    }
  }

  /** `{&quot;name&quot;: …}`: decoded once, and only if every quote is an entity. */
  private entities(from: number): Outcome | null {
    const { source } = this
    if (!source.has(source.skipSpace(from + 1), '&quot;')) return null
    const close = source.find('</', from)
    const body = source.text.slice(from, close < 0 ? source.text.length : close)
    if (close < 0 || body.includes('"') || !body.includes('&quot;')) return null
    const decoded = new Source(decodeEntities(body), true)
    const reading = readJson(decoded, 0, { guess: false })
    if (reading.failure || !reading.node) return null
    const closed = this.close(close)
    this.repairs.push('entities')
    const flat = calls(reading.node)
    const parts = flat.map((call, i): Part => {
      const start = i === 0 ? this.start : from + i
      const end = i === flat.length - 1 ? closed.end : from + i + 1
      return this.part(
        call,
        start,
        end,
        new Set([...this.repairs, ...closed.repairs, ...reading.repairs.map((one) => one.code)]),
        reading,
      )
    })
    return { kind: 'parts', end: closed.end, parts }
  }

  private children(i: number): Outcome | null {
    const { source, context, start } = this
    const found = readChildElements(source, i, context.tools)
    if (!found) return null
    source.certain = { start, name: found.name }
    if (found.end === null) {
      if (!source.decided) return null
      const end = this.recover({ at: i })
      return { kind: 'parts', end, parts: [brokenPart(start, end, brokenElements(found.name, end))] }
    }
    const closed = this.close(found.end)
    const codes = new Set<RepairCode>([...this.repairs, 'child-elements', ...found.repairs, ...closed.repairs])
    return {
      kind: 'parts',
      end: closed.end,
      parts: [this.part(found.node, start, closed.end, codes, CERTAIN)],
    }
  }
}

/**
 * Whether the text before `next` may continue: after a comma, a bracket that was just opened, or the digits of a
 * number.
 */
function waitsForMore({ text }: Source, next: number): boolean {
  return /(?:[{[,，]|[\d.+-]|\d[eE])\s*$/.test(text.slice(Math.max(0, next - MAX_NOISE), next))
}

/** Brackets may be missing before the next tag; if the call was to continue, what else is missing is unknown. */
function cutCall(part: Part | undefined, at: number): Part[] {
  if (part?.kind !== 'call') return part ? [part] : []
  const { start, end, call } = part
  const detail = 'the call ends in the middle of its object'
  return [brokenPart(start, end, { reason: 'truncated', at: Math.min(at, end), detail, name: call.name })]
}

const brokenElements = (name: string | null, at: number): Breakage => ({
  reason: 'truncated',
  at,
  detail: 'an element is not closed',
  ...(name === null ? {} : { name }),
})

/** The calls in one JSON value of a body. */
function calls(node: JsonNode | null): readonly JsonNode[] {
  if (!node) return []
  if (node.kind === 'object') {
    // The envelope of another strategy inside the tag.
    const list = node.entries.length === 1 && node.entries[0]?.key === 'tool_calls' ? node.entries[0].node : null
    return list?.kind === 'array' && list.items.length > 0 ? list.items : [node]
  }
  if (node.kind !== 'array') return [node]
  return node.items.some((item) => item.kind === 'object' || item.kind === 'string') ? node.items : []
}

const isText = (node: JsonNode | undefined): boolean =>
  (node?.kind === 'array' ? node.items.at(-1)?.kind : node?.kind) === 'string'

function lastEnd(node: JsonNode | undefined, fallback: number): number {
  return (node?.kind === 'array' ? node.items.at(-1)?.end : node?.end) ?? fallback
}

function decodeCall(text: string): JsonNode | null {
  const source = new Source(text, true)
  const reading = readJson(source, source.skipSpace(0), { guess: false })
  return reading.failure || reading.node?.kind !== 'object' ? null : reading.node
}

const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  amp: '&',
  '#39': "'",
  '#34': '"',
}
const decodeEntities = (text: string): string =>
  text.replaceAll(/&(quot|apos|lt|gt|amp|#39|#34);/g, (_, name: string) => ENTITIES[name] ?? '')
