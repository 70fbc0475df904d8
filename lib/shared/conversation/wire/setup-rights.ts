import type { ChatSetup } from '../settings/preset'
import type { ApprovalRule, ToolCallConfig, ToolRules } from '../conversation'

/*
 * What a foreign setup would allow that new chats here don't. It is accepted only if the user agrees after reading it;
 * else the stricter of both applies.
 */

/** One thing that a setup allows: its description, with values. */
export type Right =
  | { readonly is: 'alone'; readonly tools: readonly string[] }
  | { readonly is: 'mode' | 'confirmation' | 'remembers' | 'results' | 'code' }
  | { readonly is: 'rounds' | 'calls' | 'seconds'; readonly count: number; readonly here: number }

const gates = ['always', 'large-or-failed', 'never'] as const satisfies readonly ToolCallConfig['resultGate'][]
const strictness = ['always', 'on-error', 'never'] as const satisfies readonly ApprovalRule[]

const stricterOf = <T>(order: readonly T[], one: T, other: T): T =>
  order[Math.min(order.indexOf(one), order.indexOf(other))] ?? one

const ruleOf = (rules: ToolCallConfig['toolRules'], name: string): ToolRules | undefined =>
  Object.hasOwn(rules, name) ? rules[name] : undefined

/** Tools that may run without a click by these rules, if `mode` allows it. */
export const namesWithoutClick = ({ toolRules }: Pick<ToolCallConfig, 'toolRules'>): readonly string[] =>
  Object.keys(toolRules).filter((name) => (ruleOf(toolRules, name)?.execution ?? 'always') !== 'always')

/** The same setup, in nothing looser than `own`. */
export function stricterSetup(brought: ChatSetup, own: Pick<ChatSetup, 'tools'>): ChatSetup {
  const [its, ours] = [brought.tools, own.tools]
  const stricter = (name: string, which: keyof ToolRules): ApprovalRule | undefined => {
    const rule = ruleOf(its.toolRules, name)?.[which]
    if (rule === undefined) return ruleOf(ours.toolRules, name)?.[which] === 'always' ? 'always' : undefined
    const here = ruleOf(ours.toolRules, name)?.[which] ?? 'always'
    return stricterOf(strictness, rule, here)
  }
  const names = [...new Set([...Object.keys(its.toolRules), ...Object.keys(ours.toolRules)])]
  const rules = names.flatMap((name): readonly (readonly [string, ToolRules])[] => {
    const [execution, result] = [stricter(name, 'execution'), stricter(name, 'result')]
    if (execution === undefined && result === undefined) return []
    return [[name, { ...(execution !== undefined && { execution }), ...(result !== undefined && { result }) }]]
  })
  const lives = [its.grantLifetimeMs, ours.grantLifetimeMs].filter((ms) => ms !== null)
  return {
    ...brought,
    tools: {
      ...its,
      mode: its.mode === 'auto' && ours.mode === 'auto' ? 'auto' : 'manual',
      requireConfirmation: its.requireConfirmation || ours.requireConfirmation,
      grantLifetimeMs: lives.length === 0 ? null : Math.min(...lives),
      toolRules: Object.fromEntries(rules),
      resultGate: stricterOf(gates, its.resultGate, ours.resultGate),
      codeChanges: its.codeChanges === 'ask' || ours.codeChanges === 'ask' ? 'ask' : 'keep',
      maxIterations: Math.min(its.maxIterations, ours.maxIterations),
      maxCallsPerReply: Math.min(its.maxCallsPerReply, ours.maxCallsPerReply),
      timeoutMs: Math.min(its.timeoutMs, ours.timeoutMs),
    },
  }
}

/** What a setup would allow beyond `own`; empty: it is as strict. */
export function rightsBeyond(brought: ChatSetup, own: Pick<ChatSetup, 'tools'>): readonly Right[] {
  const [its, kept] = [brought.tools, stricterSetup(brought, own).tools]
  const looser = (name: string, which: keyof ToolRules) =>
    (ruleOf(its.toolRules, name)?.[which] ?? 'always') !== (ruleOf(kept.toolRules, name)?.[which] ?? 'always')
  const alone = namesWithoutClick(its).filter((name) => looser(name, 'execution'))
  const unseen = Object.keys(its.toolRules).some((name) => looser(name, 'result'))
  return [
    ...(alone.length > 0 ? [{ is: 'alone', tools: alone } as const] : []),
    ...(its.mode !== kept.mode ? [{ is: 'mode' } as const] : []),
    ...(its.requireConfirmation !== kept.requireConfirmation ? [{ is: 'confirmation' } as const] : []),
    ...(its.grantLifetimeMs !== kept.grantLifetimeMs ? [{ is: 'remembers' } as const] : []),
    ...(its.resultGate !== kept.resultGate || unseen ? [{ is: 'results' } as const] : []),
    ...(its.codeChanges !== kept.codeChanges ? [{ is: 'code' } as const] : []),
    ...numberRight('rounds', its.maxIterations, kept.maxIterations),
    ...numberRight('calls', its.maxCallsPerReply, kept.maxCallsPerReply),
    ...numberRight('seconds', its.timeoutMs / 1_000, kept.timeoutMs / 1_000),
  ]
}

const numberRight = (is: 'rounds' | 'calls' | 'seconds', count: number, here: number): readonly Right[] =>
  count === here ? [] : [{ is, count, here }]
