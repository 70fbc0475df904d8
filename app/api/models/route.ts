import { json } from '../respond'
import { withOwner } from '../with-owner'

export const dynamic = 'force-dynamic'

/** Everything that a new chat needs to know. */
export const GET = withOwner({}, async ({ owner, service, request }) => {
  const [models, newChats, servers] = await Promise.all([
    service.models(request.signal),
    service.newChats(owner),
    service.toolServers(owner),
  ])
  return json({ ...models, newChats, hasToolServers: servers.some(({ isOn }) => isOn) })
})
