import type { AddressFlaw } from './web-address'

/** What an operator can switch on: reading pages, searching the web. */
export type WebAccess = 'pages' | 'search'

/** `data-web` of the page's root element names what this server offers, separated by blanks. */
export const webAccessOf = (said: string | undefined): ReadonlySet<string> =>
  new Set((said ?? '').split(' ').filter((word) => word !== ''))

/** Media types that are read; all others stay where they are. */
const pageKinds = ['html', 'pdf', 'json', 'text'] as const
export type PageKind = (typeof pageKinds)[number]

/**
 * Why there is no page. `not-public`: the host has no public address or none at all; which of both is not told, since that
 * would name hosts of the operator's network.
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

/** What came of a call that this app's server carried out. The bytes are as they came: the server reads nothing of them. */
export type WebAnswer =
  | {
      readonly kind: 'page'
      /** After redirects on the same host. */
      readonly url: string
      readonly type: PageKind
      /** As the server of the page names it; null: it does not. */
      readonly charset: string | null
      readonly base64: string
    }
  | {
      readonly kind: 'failed'
      readonly why: WebFault
      readonly host: string
      /** Of `http`. */
      readonly status?: number
      /** Of `moved`: the address on another host. */
      readonly to?: string
    }

/** Bytes of a page, after decompression. */
export const maxPageBytes = 3_000_000
export const maxFound = 8
