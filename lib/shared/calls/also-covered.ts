import type { GrantScope } from '@/lib/shared/conversation/conversation'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import { folderOf, isWithin, type ToolFacts } from './approval-policy'
import type { MessageCall } from './message-calls'

/**
 * The other calls that wait and that a yes of this kind, given on `target`, would speak of. A yes begins with what comes
 * later; these run only when the person says so too, with a click that names them.
 */
export function alsoCovered(
  kind: GrantScope['kind'],
  tool: ToolFacts,
  target: MessageCall,
  waiting: readonly MessageCall[],
): readonly MessageCall[] {
  const { name, arguments: args } = target.call
  if (tool.permission === 'sensitive') return []
  const same = waiting.filter(({ slot, runnable, call }) => slot !== target.slot && runnable && call.name === name)
  switch (kind) {
    case 'tool':
      return same
    case 'arguments': {
      const text = canonicalJson(args)
      return same.filter(({ call }) => canonicalJson(call.arguments) === text)
    }
    case 'folder': {
      const folder = folderOf(tool, target.call)
      return folder === null ? [] : same.filter(({ call }) => isWithin(tool, call, folder))
    }
  }
}
