import type { ToolIndex } from './arguments/tool-index'
import type { Breakage } from './dialect'
import { exampleArguments, signatureOf } from './signature'
import type { CallToWrite, ToolSpec } from './tool-context-def'

/** Tells the model what was wrong with a call that could not be read, where, and what a right one looks like. */
export function teachBreakage(
  breakage: Breakage,
  around: string,
  tools: ToolIndex,
  formatCalls: (calls: readonly CallToWrite[]) => string,
): string {
  const spec = breakage.name === undefined ? undefined : tools.match(breakage.name, { commands: true })?.spec
  const what = breakage.name === undefined ? 'Your tool call' : `Your call to ${breakage.name.slice(0, 80)}`
  const place = around.trim() === '' ? '' : ` Near: ${JSON.stringify(around)}.`
  return `${what} ${REASONS[breakage.reason](breakage.detail)}${place} Nothing ran.${lesson(spec ?? tools.specs[0], formatCalls)}`
}

const REASONS: Readonly<Record<Breakage['reason'], (detail: string | undefined) => string>> = {
  truncated: (detail) =>
    `was cut off before it was complete${detail ? ` (${detail})` : ''}. Do not send it again as it was: send smaller parts, for example a file in several pieces.`,
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

/** The tool's signature and a minimal right call in the active strategy. */
export function lesson(spec: ToolSpec | undefined, formatCalls: (calls: readonly CallToWrite[]) => string): string {
  if (!spec) return ''
  const example = formatCalls([{ name: spec.name, arguments: exampleArguments(spec) }])
  return ` The tool is ${signatureOf(spec)}. A right call looks like this:\n${example}`
}
