import type { AddressFlaw } from './web-address'

/** What an operator can enable: reading pages, searching the web. */
export type WebAccess = 'pages' | 'search'

/** `data-web` of the page's root element lists what this server offers, separated by spaces. */
export const webAccessOf = (setting: string | undefined): ReadonlySet<string> =>
  new Set((setting ?? '').split(' ').filter((word) => word !== ''))

/** Media types that are read; all others are refused. */
const pageKinds = ['html', 'pdf', 'json', 'text'] as const
export type PageKind = (typeof pageKinds)[number]

/**
 * Why there is no page. `not-public`: the host has no address or no public one. The two cases are not told apart,
 * because that would reveal hosts of the operator's network.
 */
export type WebFault =
  | AddressFlaw
  | 'port'
  | 'not-listed'
  | 'not-public'
  | 'own'
  | 'unreached'
  | 'late'
  | 'too-large'
  | 'type'
  | 'encoding'
  | 'redirects'
  | 'moved'
  | 'http'
  | 'broken'

/** The result of a call that this app's server carried out. The bytes are unchanged: the server parses none of them. */
export type WebAnswer =
  | {
      readonly kind: 'page'
      /** The address after redirects on the same host. */
      readonly url: string
      readonly type: PageKind
      /** The media type that the page's server sent; null: none. */
      readonly charset: string | null
      readonly base64: string
    }
  | {
      readonly kind: 'failed'
      readonly why: WebFault
      readonly host: string
      /** Status code, with `http`. */
      readonly status?: number
      /** With `moved`: the address on the other host. */
      readonly to?: string
    }

/** Bytes of a page, after decompression. */
export const maxPageBytes = 3_000_000
export const maxFound = 8
