import { json } from '../../../respond'
import { param, withOwner } from '../../../with-owner'
import { writerKeyOf } from '../../tab-schemas'

export const dynamic = 'force-dynamic'

/** The tools of all chats that are open in one page. */
const MAX_CONNECTED = 1_000

export const GET = withOwner({}, async ({ owner, service, params, request }) =>
  json(await service.tabPrompt(owner, param(params, 'id'), writerKeyOf(request), connectedIn(request))),
)

/** `?connected=CONVERSATION:NAME`, each a tool that the calling page can run. */
const connectedIn = (request: Request): readonly string[] =>
  new URL(request.url).searchParams.getAll('connected').slice(0, MAX_CONNECTED)
