import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { Switchable } from '@/lib/shared/tools/discovery'
import type { ToolDefinition } from '@/lib/shared/tools/tool'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'
import { t, makeRefusal } from '@/lib/i18n/t'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import type { Refusal } from '@/lib/base/app-error'
import { err, ok, type Result } from '@/lib/base/result'
import { jsonErrorAt } from './json-error-at'

/** What a tool counts as in the playground: offered, known but switched off, or not there at all. */
export type ToolAvailability = 'offered' | 'off' | 'unknown'

/** By tool name; what is not listed is offered, unless the tool itself is off until it is switched on. */
export type ToolChoice = Readonly<Record<string, ToolAvailability>>

export const offerStateOf = (choice: ToolChoice, { spec: { name }, policy }: Switchable): ToolAvailability =>
  (Object.hasOwn(choice, name) ? choice[name] : undefined) ?? (policy.offByDefault === undefined ? 'offered' : 'off')

/** The tools as a reader and a prompt see them under this choice. */
export function chosenTools(tools: ToolSet, choice: ToolChoice): readonly ToolSpec[] {
  const state = ({ name }: ToolSpec) => offerStateOf(choice, tools.get(name) ?? { spec: { name }, policy: {} })
  return tools
    .specs()
    .filter((spec) => state(spec) !== 'unknown')
    .map((spec) => (state(spec) === 'off' ? { ...spec, disabled: true } : spec))
}

/** Why a tool is, or is not, offered to the model. */
export function whyOffered(tool: ToolDefinition, choice: ToolChoice): { readonly word: string; readonly why: string } {
  const state = tool.policy.agentCallable ? offerStateOf(choice, tool) : 'never'
  return { word: t(`play.is.${state}`), why: t(`play.why.${state}`) }
}

/** Typed text as the arguments of a call; otherwise why it is none, and where. */
export function parseArguments(text: string): Result<JsonObject, Refusal> {
  if (text.trim() === '') return ok({})
  const wrongAt = jsonErrorAt(text)
  if (wrongAt !== null) return err(makeRefusal('play.not-json', placeOf(text, wrongAt)))
  const value = JSON.parse(text) as JsonValue
  if (!isJsonObject(value)) return err(makeRefusal('play.no-object'))
  return ok(value)
}

function placeOf(text: string, at: number) {
  const before = text.slice(0, at)
  const [line, column] = [before.split('\n').length, at - before.lastIndexOf('\n')]
  return { isEarly: at >= text.trimEnd().length, line, column }
}
