import type { ApprovalRule, AssistantMessage, ToolCallConfig } from '@/lib/shared/conversation/conversation'
import type { CallOutcome, Grant, GrantScope, InnerCall } from '@/lib/shared/conversation/call-record'
import { isJsonObject } from '@/lib/base/json'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import type { ToolPolicy, ToolText } from '@/lib/shared/tools/tool'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import { isGrantActive } from './copy'
import { holdsPlaceholder } from '@/lib/shared/secrets/placeholders'
import { plainOrigin } from '@/lib/shared/web/web-address'
import { writesSkill } from '@/lib/shared/skills/skill-path'
import type { MessageCall } from './message-calls'

/*
 * Decides who must approve a call before it runs and its result before it is sent. Pure, and used on both sides: the
 * browser asks by it, the server refuses by it. Nothing that a model or a call says lowers a level.
 */

/** The facts about a tool that the rules need. */
export interface ToolFacts {
  readonly spec: Pick<ToolText, 'name'>
  readonly policy: Pick<
    ToolPolicy,
    | 'permission'
    | 'requireExecutionApproval'
    | 'requireResultApproval'
    | 'paths'
    | 'asksUser'
    | 'findsTools'
    | 'server'
    | 'fromCode'
    | 'callsTools'
    | 'needs'
  > &
    Partial<Pick<ToolPolicy, 'capabilities'>>
}

/** From this size on, a result's JSON text counts as large, in UTF-8 bytes; about 4,000 tokens. */
export const LARGE_RESULT_BYTES = 16_384

/** When a call of this tool waits for a click, ignoring grants. */
export function executionRule(tool: ToolFacts, config: ToolCallConfig): ApprovalRule {
  if (config.requireConfirmation || tool.policy.permission === 'sensitive' || tool.policy.needs) return 'always'
  if (config.mode === 'manual' && !tool.policy.findsTools) return 'always'
  const own = Object.hasOwn(config.toolRules, tool.spec.name) ? config.toolRules[tool.spec.name]?.execution : undefined
  return own ?? tool.policy.requireExecutionApproval ?? (tool.policy.findsTools ? 'never' : 'always')
}

/**
 * True if mode `auto` lets this tool's calls run without a click. `failedBefore`: a call of it failed in this branch.
 */
export function mayRunAutomatically(tool: ToolFacts, config: ToolCallConfig, failedBefore: boolean): boolean {
  const rule = executionRule(tool, config)
  return rule === 'never' || (rule === 'on-error' && !failedBefore)
}

/**
 * The scopes for which an approval can be remembered, narrowest first; none for a sensitive tool, nor for a change of a
 * skill; for a tool that reads the web, the same call, or pages of its host.
 */
export function rememberable(tool: ToolFacts, call: CallToWrite): readonly GrantScope['kind'][] {
  // A call with a placeholder runs with a value that only its card shows.
  const asksAlways = tool.policy.permission === 'sensitive' || writesSkill(call) || holdsPlaceholder(call.arguments)
  if (asksAlways) return []
  if (tool.policy.needs) return originOf(tool, call) === null ? ['arguments'] : ['arguments', 'host']
  return folderOf(tool, call) === null ? ['arguments', 'tool'] : ['arguments', 'folder', 'tool']
}

/** The host that a call reads a page of, if its address says nothing else; see `plainOrigin`. */
export function originOf(tool: ToolFacts, { arguments: args }: CallToWrite): string | null {
  const url = args['url']
  return tool.policy.needs === 'pages' && typeof url === 'string' ? plainOrigin(url) : null
}

/** The folder that contains everything the call touches; null if unknown or if the path is not a plain one. */
export function folderOf(tool: ToolFacts, call: CallToWrite): string | null {
  const paths = tool.policy.paths?.(call.arguments) ?? []
  const folders = new Set(paths.map(parentFolder))
  const [folder] = folders
  return folders.size === 1 && folder != null ? folder : null
}

/**
 * A grant applies to later replies only: calls of a reply that had begun by then need their own click. A copy that
 * began with a reply without a click, by a grant or by the user's message, counts for that reply, too.
 */
export const isForReply = (
  { createdAt, scope, givenOn }: Grant,
  reply: Pick<AssistantMessage, 'createdAt' | 'id'>,
): boolean =>
  createdAt <= reply.createdAt ||
  (scope.kind === 'copy' && (scope.under !== undefined || scope.chosen === true) && givenOn?.messageId === reply.id)

/**
 * True if this tool needs no click while the chat works on a copy: it changes only files, and these are reviewed before
 * they count. Tools that reach outside the browser, ask the user, or change something that is not on the copy need the
 * usual approval.
 */
export const runsOnCopy = ({ policy: { capabilities, permission, asksUser } }: ToolFacts): boolean =>
  capabilities?.network === 'off' && asksUser !== true && (permission === 'public' || capabilities.files === 'write')

/** The first grant active at `now` that covers the call. `argumentsHash` is that of `call`; see `call-hash.ts`. */
export function coveringGrant(
  grants: readonly Grant[],
  tool: ToolFacts,
  call: CallToWrite,
  argumentsHash: string,
  now: number,
): Grant | null {
  const covers = (grant: Grant): boolean => {
    const { scope } = grant
    if (!isGrantActive(grant, now) || scope.kind === 'unreadable') return false
    if (scope.kind === 'copy') return runsOnCopy(tool)
    // It covers the changes of a copy, and no call.
    if (scope.kind === 'effects') return false
    if (tool.policy.permission === 'sensitive' || scope.tool !== call.name) return false
    switch (scope.kind) {
      case 'tool':
        return tool.policy.needs === undefined
      case 'arguments':
        return scope.argumentsHash === argumentsHash
      case 'folder':
        return isWithin(tool, call, scope.folder)
      case 'host':
        return originOf(tool, call) === scope.origin
    }
  }
  return grants.find(covers) ?? null
}

/** True if a result waits for the user's review. A stopped or interrupted call has its own choices instead. */
export function needsResultApproval(
  tool: ToolFacts | undefined,
  config: ToolCallConfig,
  outcome: CallOutcome,
): boolean {
  const failed = outcome.status === 'error'
  if (outcome.status !== 'completed' && !failed) return false
  // The user just wrote it for the model.
  if (tool?.policy.asksUser && !failed) return false
  const own =
    tool && Object.hasOwn(config.toolRules, tool.spec.name) ? config.toolRules[tool.spec.name]?.result : undefined
  const rule = own ?? tool?.policy.requireResultApproval ?? 'never'
  if (rule === 'always' || (rule === 'on-error' && failed)) return true
  switch (config.resultGate) {
    case 'always':
      return true
    case 'large-or-failed':
      return failed || isLargeResult(outcome)
    case 'never':
      return false
  }
}

/**
 * The same for a call whose code called tools. Its return value may contain their results, so it waits if any of those
 * results would wait. `toolOf`: the tools of the chat.
 */
export const holdsGatedResult = (
  inner: readonly InnerCall[] | undefined,
  config: ToolCallConfig,
  toolOf: (name: string) => ToolFacts | undefined,
): boolean =>
  (inner ?? []).some(({ name, outcome }) => outcome !== null && needsResultApproval(toolOf(name), config, outcome))

/**
 * Whether the output of a stopped run would have been reviewed if the run had finished. A user who stops a call sees
 * its card and sends the outcome with a click. If the user writes another message instead, nobody has reviewed the
 * output, so the model learns only that the call was stopped.
 */
export function stayedUnseen(tool: ToolFacts | undefined, config: ToolCallConfig, outcome: CallOutcome): boolean {
  const { status, result } = outcome
  if (status !== 'cancelled' || !isJsonObject(result)) return false
  const saidMore = Object.keys(result).some((key) => key !== 'error' && key !== 'files')
  return saidMore && needsResultApproval(tool, config, { ...outcome, status: 'completed' })
}

/**
 * The user wants to review results, all of them or some, before the model gets them. Text that is only read into a
 * message, like the beginning of an attached file, must then not bypass that.
 */
export const hasResultApproval = ({
  resultGate,
  toolRules,
}: Pick<ToolCallConfig, 'resultGate' | 'toolRules'>): boolean =>
  resultGate !== 'never' || Object.values(toolRules).some(({ result }) => result !== undefined && result !== 'never')

export const isLargeResult = (outcome: Pick<CallOutcome, 'result'>): boolean =>
  resultBytes(outcome) > LARGE_RESULT_BYTES

const resultBytes = ({ result }: Pick<CallOutcome, 'result'>): number =>
  new TextEncoder().encode(typeof result === 'string' ? result : JSON.stringify(result)).byteLength

/** Only plain paths can be within a folder. */
export const isPlain = (path: string): boolean =>
  path.startsWith('/') && !/[\\\0]|(?:^|\/)\.{1,2}(?:\/|$)|\/\//.test(path)

function parentFolder(path: string): string | null {
  if (!isPlain(path)) return null
  const at = path.replace(/\/$/, '').lastIndexOf('/')
  return at <= 0 ? '/' : path.slice(0, at)
}

/** Everything that the call touches is in the folder. */
export function isWithin(tool: ToolFacts, call: CallToWrite, folder: string): boolean {
  const paths = tool.policy.paths?.(call.arguments) ?? []
  const inside = folder === '/' ? '/' : `${folder}/`
  return paths.length > 0 && paths.every((path) => isPlain(path) && path.startsWith(inside))
}

/**
 * The other waiting calls that an approval of this kind, given on `target`, would cover. A grant applies to later
 * calls; these run only if the user also includes them in the click.
 */
export function alsoCovered(
  kind: GrantScope['kind'],
  tool: ToolFacts,
  target: MessageCall,
  waiting: readonly MessageCall[],
): readonly MessageCall[] {
  const { name, arguments: args } = target.call
  if (tool.policy.permission === 'sensitive') return []
  const same = waiting.filter(({ slot, runnable, call }) => slot !== target.slot && runnable && call.name === name)
  switch (kind) {
    case 'tool':
      return same
    case 'arguments': {
      const text = canonicalJson(args)
      return same.filter(({ call }) => canonicalJson(call.arguments) === text)
    }
    case 'host': {
      const origin = originOf(tool, target.call)
      return origin === null ? [] : same.filter(({ call }) => originOf(tool, call) === origin)
    }
    case 'folder': {
      const folder = folderOf(tool, target.call)
      return folder === null ? [] : same.filter(({ call }) => isWithin(tool, call, folder))
    }
  }
}
