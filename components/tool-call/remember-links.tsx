'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { useState } from 'react'
import { TextButton } from '@/components/ui/text-button'
import type { GrantScope } from '@/lib/chat/conversation'
import type { CallToWrite } from '@/lib/strategies/tool-context-def'
import { folderOf, rememberable } from '@/lib/tool-calls/approval-policy'
import type { ToolDefinition } from '@/lib/tools/tool'

const words: Readonly<Record<GrantScope['kind'], string>> = {
  arguments: 'this exact call here',
  folder: 'this folder here',
  tool: 'this tool here',
}

export interface RememberLinksProps {
  readonly tool: ToolDefinition | undefined
  readonly call: CallToWrite
  /** Remembers the yes and runs this call. Gives a sentence when it could not be stored. */
  readonly onRemember: (kind: GrantScope['kind']) => Promise<string | null>
}

/** Runs this call and remembers the yes, in this chat. Nothing for a tool that asks every time. */
export function RememberLinks({ tool, call, onRemember }: RememberLinksProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const kinds = tool ? rememberable(tool, call) : []
  if (!tool || kinds.length === 0) return null
  const folder = folderOf(tool, call)
  return (
    <p className="remember">
      <span>Run, and don’t ask again for</span>
      {kinds.map((kind) => (
        <TextButton
          key={kind}
          aria-label={`don’t ask again for ${words[kind]}`}
          {...(kind === 'folder' && folder !== null ? { title: folder } : {})}
          onClick={() => void onRemember(kind).then(setProblem)}
        >
          {words[kind]}
        </TextButton>
      ))}
      {problem ? (
        <span className="trouble" role="alert">
          <SaidText text={problem} />
        </span>
      ) : null}
    </p>
  )
}
