import type { ToolIndex } from '../arguments/tool-index'
import type { Breakage } from '../arguments/dialect'
import { exampleArguments } from './example-arguments'
import { signatureOf } from './signature'
import type { CallToWrite, ToolSpec } from '../types/tool-context-def'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'

/** Tells the model what was wrong with a call that could not be read, where, and what a correct call looks like. */
export function teachBreakage(
  breakage: Breakage,
  around: string,
  tools: ToolIndex,
  formatCalls: (calls: readonly CallToWrite[]) => string,
): string {
  const name = readableName(breakage.name, tools)
  const spec = name === undefined ? undefined : tools.match(name, { commands: true })?.spec
  const what = name === undefined ? 'Your tool call' : `Your call to ${name.slice(0, 80)}`
  const place = around.trim() === '' ? '' : ` Near: ${JSON.stringify(around)}.`
  const reason = breakage.reason === 'truncated' && breakage.inside !== true ? 'unclosed' : breakage.reason
  return `${what} ${REASONS[reason](breakage.detail)}${place} Nothing ran.${lesson(spec ?? tools.specs[0], formatCalls)}`
}

/** A name that includes structure is not a name: only the name of a tool, or a possible one, is repeated. */
export function readableName(name: string | undefined, tools: ToolIndex): string | undefined {
  if (name === undefined || tools.match(name, { commands: true })) return name
  return /["'{}[\]:]/.test(name) ? undefined : name
}

const REASONS: Readonly<Record<Breakage['reason'] | 'unclosed', (detail: string | undefined) => string>> = {
  truncated: (detail) =>
    `was cut off before it was complete${detail ? ` (${detail})` : ''}. Do not send it again as it was: send smaller parts, for example a file in several pieces.`,
  unclosed: (detail) =>
    `is not closed: ${detail ?? 'a text or a bracket in it has no end'}. Close every text, bracket and tag, and escape quotation marks inside texts.`,
  'missing-end': (detail) =>
    `has no end marker${detail ? ` (${detail})` : ''}, so it can’t be told from a call that was cut off. Write the whole block, with its end marker.`,
  'missing-name': (detail) => `does not name a tool${detail ? ` (${detail})` : ''}.`,
  'bad-json': (detail) =>
    `is not valid JSON${detail ? `: ${detail}` : ''}. Escape quotation marks and line breaks inside texts as \\" and \\n.`,
  'bad-arguments': (detail) => `has unusable arguments: ${detail ?? 'they must be a JSON object'}.`,
  placeholder: (detail) => `still holds a placeholder${detail ? `: ${detail}` : ''}. Put the real values there.`,
  'too-deep': () => `nests its arguments too deeply; 64 levels are allowed.`,
  'not-a-literal': (detail) =>
    `has an argument that is not a literal${detail ? `: ${detail}` : ''}. Nothing is computed. Write the values themselves.`,
}

/** The tool's signature and a minimal correct call in the active strategy. */
export function lesson(spec: ToolSpec | undefined, formatCalls: (calls: readonly CallToWrite[]) => string): string {
  if (!spec) return ''
  const example = formatCalls([{ name: spec.name, arguments: exampleArguments(spec) }])
  return ` The tool is ${signatureOf(spec)}. A right call looks like this:\n${example}`
}

/**
 * Returns each tool with `neutralise` applied to its description and to those in its schema. Computed once per tool.
 */
export function createHarmlessSpecs(neutralise: (text: string) => string): (spec: ToolSpec) => ToolSpec {
  const made = new WeakMap<ToolSpec, ToolSpec>()
  return (spec) => {
    const known = made.get(spec)
    if (known) return known
    const description = neutralise(spec.description)
    const parameters = describedBy(spec.parameters, neutralise)
    const harmless =
      description === spec.description && parameters === spec.parameters ? spec : { ...spec, description, parameters }
    made.set(spec, harmless)
    return harmless
  }
}

/** Returns the same object if nothing changes. */
function describedBy(schema: JsonObject, neutralise: (text: string) => string): JsonObject {
  const entries = Object.entries(schema).map(([key, value]): [string, JsonValue] => [
    key,
    key === 'description' && typeof value === 'string' ? neutralise(value) : inside(value, neutralise),
  ])
  return entries.every(([key, value]) => schema[key] === value) ? schema : Object.fromEntries(entries)
}

function inside(value: JsonValue, neutralise: (text: string) => string): JsonValue {
  if (isJsonObject(value)) return describedBy(value, neutralise)
  if (!Array.isArray(value)) return value
  const items = value.map((one: JsonValue) => inside(one, neutralise))
  return items.every((one, at) => one === value[at]) ? value : items
}
