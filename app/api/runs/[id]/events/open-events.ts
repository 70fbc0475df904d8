import type { ChatService } from '@/lib/server/chats/chat-service'
import { endWithSession } from '../../../end-with-session'
import { ndjsonHeaders as headers } from '../../../ndjson'
import { afterOf, param, withOwner } from '../../../with-owner'

type RunLines = Awaited<ReturnType<ChatService['watch']>>

export interface OpenedEvents {
  /** Status and headers; a refusal is all of the answer. */
  readonly head: Response
  readonly lines: RunLines | null
  /** To be called when the answer is over. */
  readonly close: () => void
}

/** The events of a run for whoever may read them, until `gone`. Whoever writes them writes the head as it stands. */
export async function openEvents(
  request: Request,
  context: { readonly params: Promise<unknown> },
  gone: AbortController,
): Promise<OpenedEvents> {
  let lines: RunLines | null = null
  let close = () => {}
  const open = withOwner({}, async (asked) => {
    const { owner, service, visitor, params, url } = asked
    const run = [owner, param(params, 'id'), afterOf(url), gone.signal, visitor] as const
    lines = await (url.searchParams.has('places') ? service.watch(...run) : service.events(...run))
    close = endWithSession(asked, gone)
    return new Response(null, { headers })
  })
  const head = await open(request, context)
  return { head, lines, close }
}
