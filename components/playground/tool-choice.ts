import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { ToolDefinition } from '@/lib/shared/tools/tool'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'
import { t } from '@/lib/i18n/t'

/** What a tool counts as in the playground: offered, known but switched off, or not there at all. */
export type ToolAvailability = 'offered' | 'off' | 'unknown'

/** By tool name; what is not listed is offered, unless the tool itself is off until it is switched on. */
export type ToolChoice = Readonly<Record<string, ToolAvailability>>

export const offerStateOf = (
  choice: ToolChoice,
  { name, offByDefault }: Pick<ToolDefinition, 'name' | 'offByDefault'>,
): ToolAvailability =>
  (Object.hasOwn(choice, name) ? choice[name] : undefined) ?? (offByDefault === undefined ? 'offered' : 'off')

/** The tools as a reader and a prompt see them under this choice. */
export function chosenTools(tools: ToolSet, choice: ToolChoice): readonly ToolSpec[] {
  const state = ({ name }: ToolSpec) => offerStateOf(choice, tools.get(name) ?? { name })
  return tools
    .specs()
    .filter((spec) => state(spec) !== 'unknown')
    .map((spec) => (state(spec) === 'off' ? { ...spec, disabled: true } : spec))
}

/** Why a tool is, or is not, offered to the model. */
export function whyOffered(tool: ToolDefinition, choice: ToolChoice): { readonly word: string; readonly why: string } {
  const state = tool.agentCallable ? offerStateOf(choice, tool) : 'never'
  return { word: t(`play.is.${state}`), why: t(`play.why.${state}`) }
}
