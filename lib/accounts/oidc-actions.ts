import { withBase, withoutBase } from '@/lib/base/base-path'
import { makeError } from '@/lib/i18n/t'
import type { AccountContext, Caller } from './account-context'
import { libraryHeaders, sessionOf } from './library-headers'
import { OIDC } from './make-auth'
import { giveBack, newcomer, newcomers } from './newcomer'
import { bringChats, invitationFor } from './sign-in-actions'

export interface OidcActions {
  /**
   * Where the provider asks who somebody is, and the cookies to go there with. `next`: a path of ours to come back to; `link`: the
   * provider becomes another way into the account that is signed in. Throws AppError `unavailable` while it is away.
   */
  startOidc(
    caller: Caller,
    wanted: { readonly next: string; readonly link: boolean; readonly invitation: string | null },
  ): Promise<{ readonly url: string; readonly cookies: readonly string[] }>
  /** The provider sent somebody back: a redirect to `next`, or to `/sign-in?error=…`. `signedInId`: null for a link, or a refusal. */
  finishOidc(
    caller: Caller,
    request: Request,
    invitation: string | null,
  ): Promise<{ readonly response: Response; readonly arrived: boolean }>
}

export function oidcActions(context: AccountContext): OidcActions {
  const { settings, secrets, auths, rows } = context
  return {
    async startOidc(caller, { next, link, invitation }) {
      const auth = await auths.withOidc(caller.secure)
      if (invitation !== null) await invitationFor(context, invitation, null)
      const ways = { provider: OIDC, callbackURL: withBase(next), disableRedirect: true }
      const headers = libraryHeaders(caller, link ? sessionOf(caller, secrets) : null)
      const answer = link
        ? await auth.api.linkSocialAccount({
            body: { ...ways, errorCallbackURL: withBase('/account') },
            headers,
            returnHeaders: true,
          })
        : await auth.api.signInSocial({
            body: { ...ways, errorCallbackURL: withBase('/sign-in') },
            headers,
            returnHeaders: true,
          })
      const { url } = answer.response
      if (typeof url !== 'string') throw makeError('unavailable', 'accounts.oidc-unreachable', labelOf(settings.oidc))
      return { url, cookies: answer.headers.getSetCookie() }
    },

    async finishOidc(caller, request, code) {
      const auth = await auths.withOidc(caller.secure)
      const invitation = await invitationFor(context, code, null).catch(() => null)
      // An invitation for an address of its own must be for that of the provider, which only the hooks will know.
      const coming = newcomer(caller.anonymous, { invitation })
      const { pathname, search } = new URL(request.url)
      const path = withBase(withoutBase(pathname))
      const headers = libraryHeaders(caller, null)
      headers.set('cookie', request.headers.get('cookie') ?? '')
      const asked = new Request(`${settings.publicUrl ?? ''}${path}${search}`, { headers })
      const response = await newcomers.run(coming, () => auth.handler(asked))
      await giveBack(coming, rows)
      const row = coming.signedInId === null ? null : await rows.findAccount(coming.signedInId)
      if (row) await bringChats(context, caller.anonymous, row.owner)
      return { response, arrived: row !== null }
    },
  }
}

const labelOf = (oidc: { readonly label: string } | null) => ({ label: oidc?.label ?? '' })
