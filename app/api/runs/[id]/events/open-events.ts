import type { ChatService } from '@/lib/chat/chat-service'
import { ndjsonHeaders as headers } from '../../../ndjson'
import { afterOf, param, withOwner } from '../../../with-owner'

type RunLines = Awaited<ReturnType<ChatService['watch']>>

export interface OpenedEvents {
  /** Status and headers; a refusal is all of the answer. */
  readonly head: Response
  readonly lines: RunLines | null
}

/** The events of a run for whoever may read them, until `gone`. Whoever writes them writes the head as it stands. */
export async function openEvents(
  request: Request,
  context: { readonly params: Promise<unknown> },
  gone: AbortSignal,
): Promise<OpenedEvents> {
  let lines: RunLines | null = null
  const open = withOwner({}, async ({ owner, service, visitor, params, url }) => {
    const run = [owner, param(params, 'id'), afterOf(url), gone, visitor] as const
    lines = await (url.searchParams.has('places') ? service.watch(...run) : service.events(...run))
    return new Response(null, { headers })
  })
  const head = await open(request, context)
  return { head, lines }
}
