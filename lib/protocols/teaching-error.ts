import { assertNever } from '@/lib/base/result'
import type { ReplyForm } from './types/reply-form'
import type { CallSegment } from './types/segment'
import { signatureOf } from './prompt/signature'
import { lesson } from './prompt/teach-breakage'
import { toolContextBuilder } from './tool-context-builder'
import type { CallToWrite, ToolSpec } from './types/tool-context-def'

/**
 * Why a call that was read can't run, in words for the model: what is wrong, the tool's signature, and a minimal right
 * call in the strategy. '' when the call has no problem.
 */
export function describeProblem(
  call: Pick<CallSegment, 'name' | 'problem'>,
  tools: readonly ToolSpec[],
  strategy: ReplyForm,
): string {
  const { problem } = call
  if (problem === null) return ''
  const name = call.name.slice(0, 80)
  const def = toolContextBuilder.get(strategy)
  const formatCalls = (calls: readonly CallToWrite[]) => def.showCalls?.(calls) ?? def.formatCalls(calls)
  const spec = tools.find((one) => one.name === call.name)
  switch (problem.code) {
    case 'unknown-tool': {
      const offered = tools.filter((tool) => !tool.disabled)
      const nearest = offered.filter((tool) => problem.nearest.includes(tool.name))
      const list = nearest.length > 0 ? nearest : offered.slice(0, 20)
      const names = list.map((tool) => `- ${signatureOf(tool)}`).join('\n')
      if (list.length === 0) return `There is no tool named ${name}, and no tools are offered here. Answer in words.`
      return `There is no tool named ${name}. Nothing ran. ${nearest.length > 0 ? 'The nearest ones are' : 'The tools are'}:\n${names}`
    }
    case 'invalid-arguments': {
      const issues = problem.issues.map((issue) => `- ${issue.path || 'the arguments'} ${issue.message}`).join('\n')
      return `The arguments of ${name} do not fit. Nothing ran.\n${issues}\n${lesson(spec, formatCalls).trim()}`
    }
    case 'disabled-tool':
      return `The tool ${name} is turned off in this conversation. Nothing ran. Go on without it, or ask the user to turn it on.`
    case 'duplicate':
      return `This call to ${name} repeats an earlier call of the same reply and was not run again.`
    default:
      return assertNever(problem)
  }
}
