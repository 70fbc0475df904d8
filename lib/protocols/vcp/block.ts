import type { JsonObject } from '@/lib/base/json'
import { nameOfBroken } from '../arguments/call-object'
import { callPart, failedPart } from '../arguments/call-part'
import { isPlaceholder } from '../arguments/write-json'
import { alternativesOf, normaliseKey, propertiesOf, propertyNamed, resolveSchema } from '../arguments/schema'
import { checkValue } from '../arguments/validate'
import type { BrokenReason, Coercion, RepairCode } from '../types/segment'
import { type Breakage, type Outcome, type Part, type ReadContext, finishCall } from '../arguments/dialect'
import { isUnsafeKey } from '../json-repair/node'
import { readJson } from '../json-repair/read-json'
import { structureFollows } from '../scan/json-tail'
import * as Char from '../text/source'
import type { Source } from '../text/source'
import type { ToolSpec } from '../types/tool-context-def'
import { readField, skipBetween, isNameKey, nameOfBlock, splitNumbered, type FieldGroup, type Field } from './fields'
import { readFieldOpener, readMarker, type FieldOpener, type Marker } from './markers'

/** Control fields of VCP servers; not arguments, unless a tool has such a parameter. */
const CONTROL = new Set(['maid', 'valet', 'archery', 'ink', 'river', 'vref'])
export const isControlKey = (key: string): boolean => CONTROL.has(key.toLowerCase())
/** No block is complete before this text occurs in it again. */
export const UNTIL = 'TOOL_REQUEST'

/** Reads the fields of a block up to its END. */
export class FieldBlockReader {
  private readonly source: Source
  private readonly start: number
  private readonly context: ReadContext
  private readonly repairs = new Set<RepairCode>()
  private readonly fields: Field[] = []

  constructor(source: Source, start: number, context: ReadContext, variant: boolean) {
    this.source = source
    this.start = start
    this.context = context
    if (variant) this.repairs.add('marker-variant')
  }

  read(from: number): Outcome | null {
    const { source, start } = this
    let noise = -1
    // A field mark outside any field: one of the two is damaged, and its value would be lost.
    let damaged = -1
    for (let i = from; ;) {
      i = skipBetween(source, i, this.repairs)
      const unit = source.at(i)
      // A mention of the marker, with no field or JSON after it, is prose.
      const mention = noise >= 0 && this.fields.length === 0
      if (unit < 0) return mention ? null : this.broken('missing-end', i, i)
      const marker = unit === Char.LESS ? readMarker(source, i) : null
      if (marker?.kind === 'end') {
        if (marker.variant) this.repairs.add('marker-variant')
        if (mention) return null
        if (noise >= 0) this.repairs.add('noise')
        if (damaged >= 0) return this.broken('bad-arguments', marker.end, damaged, 'the marks of a field are damaged')
        return this.finish(marker.end)
      }
      if (marker?.kind === 'start') return mention ? null : this.broken('missing-end', i, i)
      if (this.context.isFenceEnd(i)) return mention ? null : this.broken('missing-end', i, i)
      const opener = readFieldOpener(source, i)
      if (opener) {
        const field = readField(source, i, opener)
        if (!('key' in field)) return this.openField(opener, field.candidate)
        if (opener.fullWidth) this.repairs.add('full-width-punctuation')
        if (opener.quotedKey) this.repairs.add('alias-key')
        this.fields.push(field)
        if (isNameKey(field.key)) source.certain = { start, name: field.value.trim(), until: UNTIL }
        i = field.end
        continue
      }
      // After the rest of an object, a brace opens one of its values.
      const torn = noise >= 0 && source.text.slice(noise, i).includes('"')
      if (unit === Char.OPEN_BRACE && this.fields.length === 0 && !torn) {
        const outcome = this.json(i)
        if (outcome) return outcome
      }
      if (noise < 0) noise = i
      if (damaged < 0 && '「」始末'.includes(String.fromCharCode(unit))) damaged = i
      // Text after the last field means that END is missing, unless it is short and END follows.
      if (i - noise > 2000) return mention ? null : this.broken('missing-end', this.fields.at(-1)?.end ?? noise, noise)
      i++
    }
  }

  /** A field closed by a `「末」` after which only prose comes: END is missing. Otherwise the value itself was cut off. */
  private openField(opener: FieldOpener, candidate: number | null): Outcome {
    const { source } = this
    if (candidate !== null) {
      const next = nextMarker(source, candidate)
      if (next === null || next.kind === 'start') {
        if (isNameKey(opener.key))
          this.fields.push({
            key: opener.key,
            value: source.text.slice(opener.value, candidate - 3),
            start: opener.value,
            end: candidate,
            escaped: false,
          })
        const rest = source.skipSpace(candidate)
        const cutEnd = next === null && '<<<[END_TOOL_REQUEST]>>>'.startsWith(source.text.slice(rest, rest + 24))
        const end = cutEnd ? source.text.length : candidate
        return { kind: 'parts', end, parts: [this.brokenPart('missing-end', end, end)] }
      }
    }
    const end = opener.escaped ? this.protectedEnd(opener.value) : this.recover(opener.value)
    return this.broken('truncated', end, opener.value, `the field ${opener.key} is not closed`)
  }

  /** After an ESCAPE or exp opener everything is data, so an example in a cut-off file never becomes a call. */
  private protectedEnd(from: number): number {
    const { source, context } = this
    const fence = context.carrier || context.quoted ? fenceEndBetween(from, source.text.length, context) : -1
    if (fence >= 0) return fence
    source.starved = true
    return source.text.length
  }

  private brokenPart(reason: BrokenReason, end: number, at: number, detail?: string): Part {
    const name = this.fields.findLast((field) => isNameKey(field.key))?.value.trim()
    const breakage: Breakage = {
      reason,
      at: Math.min(at, end),
      ...(detail === undefined ? {} : { detail }),
      ...(name ? { name } : {}),
    }
    return { kind: 'broken', start: this.start, end, breakage }
  }

  /** A broken block extends to its END, the next START, or the end of the text, whichever comes first. */
  private recover(from: number): number {
    const { source, context } = this
    for (let i = from; ; i++) {
      const found = source.text.indexOf('<<', i)
      const fence =
        context.carrier || context.quoted ? fenceEndBetween(i, found < 0 ? source.text.length : found, context) : -1
      if (fence >= 0) return fence
      if (found < 0) {
        source.starved = true
        return source.text.length
      }
      const marker = readMarker(source, found)
      if (marker?.kind === 'end') return marker.end
      if (marker?.kind === 'start') return found
      i = found
    }
  }

  private broken(reason: BrokenReason, end: number, at: number, detail?: string): Outcome {
    // Without END, text after the last closed field is prose again.
    const last = this.fields.at(-1)
    const until =
      reason === 'missing-end' && last && !this.context.isFenceEnd(end) && this.source.at(end) < 0 ? last.end : end
    return { kind: 'parts', end: until, parts: [this.brokenPart(reason, until, at, detail)] }
  }

  private json(from: number): Outcome | null {
    const { source, context, start } = this
    const reading = readJson(source, from, {
      isStop: (i) => {
        const marker = readMarker(source, i)
        return marker !== null && (marker.kind !== 'end' || !structureFollows(source, marker.end, startsBlock))
      },
      mayFollow: (i) => readMarker(source, i) !== null,
      shape: context.tools.callShape,
    })
    const name = nameOfBroken(reading.node)
    if (name !== undefined) source.certain = { start, name, until: UNTIL }
    if (reading.failure) {
      if (reading.failure.reason === 'bad-json' && name === undefined) return null
      const end = this.recover(reading.failure.at)
      return { kind: 'parts', end, parts: [failedPart(start, end, reading.failure, name)] }
    }
    if (reading.node?.kind !== 'object') return null
    const codes = new Set<RepairCode>([...this.repairs, 'json-body', ...reading.repairs.map((repair) => repair.code)])
    let after = source.skipSpace(reading.end)
    while (source.at(after) === Char.CLOSE_BRACE || source.at(after) === Char.CLOSE_BRACKET) {
      codes.add('extra-bracket')
      after = source.skipSpace(after + 1)
    }
    const marker = readMarker(source, after)
    if (marker?.kind !== 'end')
      return this.broken('missing-end', marker?.kind === 'start' ? after : reading.end, reading.end)
    const part = callPart(reading.node, start, marker.end, codes, context.tools, reading)
    return { kind: 'parts', end: marker.end, parts: [part] }
  }

  private finish(end: number): Outcome {
    const { start, context } = this
    const name = nameOfBlock(this.fields, context.tools, new Set())?.name
    const spec = name === undefined ? undefined : context.tools.match(name, { commands: true })?.spec
    const groups = splitNumbered(this.fields, spec ? parameterNames(spec) : [])
    const parts = groups.map((group, i): Part => {
      const from = i === 0 ? start : group.start
      const to = groups[i + 1]?.start ?? end
      return this.part(group, from, to)
    })
    return { kind: 'parts', end, parts }
  }

  private part(group: FieldGroup, start: number, end: number): Part {
    const { tools } = this.context
    const repairs = new Set(this.repairs)
    const named = nameOfBlock(group.fields, tools, repairs)
    if (named === null) return { kind: 'broken', start, end, breakage: { reason: 'missing-name', whole: true } }
    const names = new Set(group.fields.filter(({ key }) => isNameKey(key)).map(({ value }) => value.trim()))
    if (names.size > 1) {
      const detail = 'tool_name is given twice: one of them may stand in the text of a field that was closed too early'
      return { kind: 'broken', start, end, breakage: { reason: 'bad-arguments', name: named.name, detail } }
    }
    const spec = tools.match(named.name, { commands: true })?.spec
    const properties = propertiesOf(spec?.parameters ?? {})
    const changed: Coercion[] = []
    const args: Record<string, JsonObject[string]> = Object.create(null)
    const dropped: string[] = []
    // A repeated field with a closer in it may belong to the text of another field.
    let swallowed: string | null = null
    let placeholder: string | null = isPlaceholder(named.name) ? 'the name' : null
    for (const field of group.fields) {
      if (named.used.includes(field)) continue
      const own = properties !== null && Object.hasOwn(properties, field.key)
      if (isControlKey(field.key) && !own) continue
      if (isUnsafeKey(field.key)) {
        dropped.push(field.key)
        continue
      }
      const key = own || !spec ? field.key : ownName(field.key, spec, group.fields)
      if (field.value === '' && takesNoEmptyText(key, spec?.parameters ?? {})) {
        changed.push({ path: key, kind: 'default-dropped', key, was: 'empty' })
        continue
      }
      if (key !== field.key)
        changed.push({
          path: key,
          kind: 'key-mapped',
          key: field.key,
          to: key,
          by: 'vcp',
        })
      if (Object.hasOwn(args, key)) {
        repairs.add('duplicate-key')
        if (!field.escaped && field.value.includes('「末」')) swallowed ??= field.key
      }
      args[key] = field.value
      if (!field.escaped && isPlaceholder(field.value)) placeholder ??= field.key
    }
    if (swallowed !== null) {
      const detail = `${swallowed} is given twice, and a mark of a field stands inside`
      return { kind: 'broken', start, end, breakage: { reason: 'bad-arguments', name: named.name, detail } }
    }
    if (placeholder !== null)
      return {
        kind: 'broken',
        start,
        end,
        breakage: {
          reason: 'placeholder',
          name: named.name,
          detail: `${placeholder} still holds a placeholder`,
          whole: true,
        },
      }
    const coercions = [
      ...changed,
      ...dropped.map((key) => ({
        path: key,
        kind: 'key-dropped' as const,
        key,
        because: 'not-allowed' as const,
      })),
    ]
    return {
      kind: 'call',
      start,
      end,
      call: finishCall({ ownId: null, name: named.name, arguments: args, repairs, coercions, commands: true }, tools),
    }
  }
}

/** The names under which a block may give the tool's parameters. */
const parameterNames = ({ parameters, vcpParameters }: ToolSpec): readonly string[] => [
  ...Object.keys(propertiesOf(parameters) ?? {}),
  ...Object.keys(vcpParameters ?? {}),
]

/** The tool's own name for a field with a VCPToolBox name; not if the field with its own name is present, too. */
function ownName(key: string, { vcpParameters = {} }: ToolSpec, fields: readonly Field[]): string {
  const same = (one: string) => (other: string) => normaliseKey(one) === normaliseKey(other)
  const alias = Object.keys(vcpParameters).find(same(key))
  const name = alias === undefined ? undefined : vcpParameters[alias]
  return name === undefined || fields.some((field) => same(name)(field.key)) ? key : name
}

/** Whether the parameter is optional, and does not accept an empty string. */
function takesNoEmptyText(key: string, parameters: JsonObject): boolean {
  const properties = propertiesOf(parameters) ?? {}
  const own = propertyNamed(properties, key)
  const required = parameters['required']
  if (own === null || (Array.isArray(required) && required.includes(own))) return false
  return alternativesOf(resolveSchema(properties[own], parameters)).every((branch) => checkValue('', branch).length > 0)
}

const startsBlock = (source: Source, i: number): boolean => readMarker(source, i)?.kind === 'start'

function fenceEndBetween(from: number, to: number, context: ReadContext): number {
  for (let i = from; i < to; i++) if (context.isFenceEnd(i)) return i
  return -1
}

function nextMarker(source: Source, from: number): { readonly kind: Marker['kind'] } | null {
  for (let i = from; ; i++) {
    i = source.find('<<', i)
    if (i < 0) return null
    const marker = readMarker(source, i)
    if (marker) return marker
  }
}
