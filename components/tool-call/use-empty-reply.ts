'use client'

import { useTools } from '@/components/context/tools-context'
import { emptyReply, type EmptyReply } from '@/lib/client/state/last-reply'
import { parsedReply } from '@/lib/client/state/parsed-reply'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { useToolConfig } from './scope/use-tool-config'

/** What a finished reply lacks, as it is read with the tools of the open chat. */
export function useEmptyReply(message: AssistantMessage): EmptyReply | null {
  const config = useToolConfig()
  const tools = useTools()
  return emptyReply(message, parsedReply(message, config, tools))
}
