import { anyChatId } from './kind-of-request'

/*
 * A page is kept with the policy that it came with, whose nonce stands in both. Each time that it is shown anew both get
 * another one, so that a nonce that was seen once is worth nothing.
 */

/** Of whom and of what a page is, as its first tag says. */
export interface PageMark {
  readonly build: string
  /** The account; '' without one. */
  readonly who: string
  /** All that of the reader's choices is in the page: language, theme, whether they are signed in. */
  readonly look: string
}

/** Null: no page of the app, but somebody's refusal or error. */
export function markOfPage(html: string): PageMark | null {
  const tag = /<html\b[^>]*>/i.exec(html)?.[0]
  if (tag === undefined) return null
  const said = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
  const build = said('data-build')
  if (build === '') return null
  const look = ['lang', 'data-theme', 'data-account', 'data-offline'].map(said).join(' ')
  return { build, who: said('data-who'), look }
}

const noncePattern = /'nonce-([\w+/=-]+)'/

/** The page with a nonce of its own, as the page of this chat where it is the copy for all. Null: it has no nonce. */
export function refreshedPage(
  { html, policy }: { readonly html: string; readonly policy: string },
  { nonce, chatId }: { readonly nonce: string; readonly chatId: string | null },
): { readonly html: string; readonly policy: string } | null {
  const old = noncePattern.exec(policy)?.[1]
  if (old === undefined) return null
  const withNonce = html.replaceAll(old, nonce)
  return {
    html: chatId === null ? withNonce : withNonce.replaceAll(anyChatId, chatId),
    policy: policy.replaceAll(old, nonce),
  }
}
