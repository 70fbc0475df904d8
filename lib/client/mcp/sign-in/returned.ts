import type { SignInReturn } from './sign-in-steps'

/*
 * The window of a sign-in ends at a static page of this app, which passes its parameters to the waiting tab. A
 * broadcast reaches this origin only, and works even if the authorization server has cut the window off from its
 * opener.
 */

export const signInChannel = 'nod-sign-in'
/** The static page, built by scripts/build-sandbox.mjs. */
export const returnPage = '/signed-in.html'
/** The address of the document about this app for authorization servers. */
export const clientDocument = '/oauth/client.json'

/** What an authorization server added to the address, as a query or as a fragment. */
export function readReturned({ search, hash }: { readonly search: string; readonly hash: string }): SignInReturn {
  const params = new URLSearchParams(hash.length > 1 ? hash.slice(1) : search)
  return {
    state: params.get('state') ?? '',
    code: params.get('code'),
    iss: params.get('iss'),
    error: params.get('error'),
  }
}
