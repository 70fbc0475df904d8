'use client'

import { plural } from '@/lib/base/locale'
import { SaidText } from '@/components/ui/foreign-text'
import { useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { useTools } from '@/components/context/tools-context'
import { TextButton } from '@/components/ui/text-button'
import type { GrantScope } from '@/lib/conversation/conversation'
import type { CallToWrite } from '@/lib/strategies/tool-context-def'
import { folderOf, rememberable } from '@/lib/calls/approval-policy'
import { folderWords, lifetimeWords } from '@/lib/calls/grant-words'
import type { MessageCall } from '@/lib/calls/message-calls'
import type { ToolSet } from '@/lib/tools/tool-registry'
import type { ToolDefinition } from '@/lib/tools/tool'
import { useCall } from '../scope/call-scope'
import { useAlsoCovered } from './use-also-covered'
import { cardNote } from '../look/card'

/** Calls that are named in full. */
const MAX_NAMED = 3

/**
 * Runs this call and remembers the yes for later replies of this chat. What else waits is never run by that, only by a
 * choice of its own, which names it. Nothing for a tool that asks every time.
 */
export function RememberLinks() {
  const { messageId, entry, tool, decide } = useCall()
  const { slot, call } = entry
  const [problem, setProblem] = useState<string | null>(null)
  const also = useAlsoCovered(messageId, slot, tool)
  const config = useConversation((view) => view.conversation?.settings.tools)
  const tools = useTools()
  const kinds = tool && config?.requireConfirmation === false ? rememberable(tool, call) : []
  if (!tool || kinds.length === 0) return null
  const remember = (kind: GrantScope['kind'], others: readonly MessageCall[]) =>
    void decide
      .remember(
        kind,
        others.map((one) => one.slot),
      )
      .then(setProblem)
  return (
    <div data-remember="" className={cardNote({ look: 'links' })}>
      <span>{leadWords(config?.grantLifetimeMs ?? null)}</span>
      {kinds.map((kind) => {
        const words = kindWords(kind, tool, call)
        const others = also(kind)
        return (
          <span key={kind} className="inline-flex min-w-0 flex-wrap gap-x-2 wrap-anywhere">
            <TextButton aria-label={`don’t ask again for ${words}`} onClick={() => remember(kind, [])}>
              {words}
            </TextButton>
            {others.length > 0 ? (
              <TextButton
                aria-label={`don’t ask again for ${words}, ${alsoWords(others, tools)}`}
                onClick={() => remember(kind, others)}
              >
                {alsoWords(others, tools)}
              </TextButton>
            ) : null}
          </span>
        )
      })}
      {problem ? (
        <span className="text-sm text-pretty text-danger" role="alert">
          <SaidText text={problem} />
        </span>
      ) : null}
    </div>
  )
}

const leadWords = (lifetimeMs: number | null): string =>
  `Run, and ${lifetimeMs === null ? '' : `for ${lifetimeWords(lifetimeMs)} `}in later replies of this chat don’t ask again for`

function kindWords(kind: GrantScope['kind'], tool: ToolDefinition, call: CallToWrite): string {
  switch (kind) {
    case 'arguments':
      return 'this very call'
    case 'folder':
      return `${tool.name} in ${folderWords(folderOf(tool, call) ?? '/')}`
    case 'tool':
      return `every ${tool.name}`
  }
}

/** "and run now the 2 that wait: write_file /a, write_file /b" */
function alsoWords(others: readonly MessageCall[], tools: ToolSet): string {
  const named = others.slice(0, MAX_NAMED).map(({ call }) => nameOf(call, tools))
  const left = others.length - named.length
  const count = plural(others.length, { one: 'the one that waits', other: `the ${others.length} that wait` })
  return `and run ${count} now: ${named.join(', ')}${left > 0 ? ` and ${left} more` : ''}`
}

function nameOf({ name, arguments: args }: CallToWrite, tools: ToolSet): string {
  const [path = ''] = tools.get(name)?.paths?.(args) ?? []
  return path === '' ? name : `${name} ${path}`
}
