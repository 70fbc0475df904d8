import { withBase } from '@/lib/base/base-path'
import { safePath, isSameOrigin, isSecure } from '@/lib/server/http/access'
import { isHostAllowed } from '@/lib/server/http/bind'
import { makeRefusal } from '@/lib/i18n/t'
import { closeWhileDraining } from '@/lib/server/wiring/process/draining.server'
import { serverAccess } from '@/lib/server/wiring/requests/owners.server'
import { serverBind } from '@/lib/server/wiring/settings.server'
import { countWrongToken, mustWaitWithToken } from '@/lib/server/wiring/requests/client-address.server'
import { closeUnread, readBytes } from '../with-owner'
import { errorResponse, respondToError, withBuild } from '../respond'

export const dynamic = 'force-dynamic'

const MAX_BYTES = 4 * 1024

/** The form of `/access`: the right token gets the cookie, a wrong one gets the page again. Needed once per browser. */
export async function POST(request: Request): Promise<Response> {
  try {
    return withBuild(closeWhileDraining(await answer(request)))
  } catch (error) {
    return withBuild(
      closeWhileDraining(
        closeUnread(
          request,
          respondToError(error, () => {}),
        ),
      ),
    )
  }
}

async function answer(request: Request): Promise<Response> {
  if (!isHostAllowed(request, serverBind())) return errorResponse('bad-request', makeRefusal('server.wrong-host'), 421)
  if (!isSameOrigin(request)) {
    return errorResponse('bad-request', makeRefusal('server.other-site'), 403)
  }
  const access = serverAccess()
  if (!access.ok) throw access.error
  const form = new URLSearchParams(new TextDecoder().decode(await readBytes(request, MAX_BYTES)))
  const next = safePath(form.get('next'))
  if (access.value === null) return goTo(next)
  const again = (refused: string) => goTo(`/access?refused=${refused}&next=${encodeURIComponent(next)}`)
  if (mustWaitWithToken(request)) return again('wait')
  if (!access.value.isToken(form.get('token') ?? '')) {
    countWrongToken(request)
    return again('wrong')
  }
  return goTo(next, access.value.cookie({ secure: isSecure(request) }))
}

const goTo = (path: string, cookie?: string): Response =>
  new Response(null, {
    status: 303,
    headers: {
      location: withBase(path),
      'cache-control': 'no-store',
      ...(cookie !== undefined && { 'set-cookie': cookie }),
    },
  })
