import type { ReadableChat, ShownParts } from './readable-chat'

/** A link under which a chat can be read, as its owner sees it. The secret in it was said once, and is nowhere kept. */
export interface SharedLink {
  readonly id: string
  readonly conversationId: string
  /** Of the chat as it was shared. */
  readonly title: string
  readonly messages: number
  readonly shown: ShownParts
  readonly createdAt: number
  readonly expiresAt: number
}

/** How many days a link can be chosen to stand. */
export const shareDays = [1, 7, 30, 365] as const
export type ShareDays = (typeof shareDays)[number]
export const usualShareDays: ShareDays = 30

/** Links that an owner has at a time. */
export const mostShares = 200
/** Of a chat as JSON: longer ones are exported instead. */
export const mostShareBytes = 8_000_000

/** Where a link leads, below the base path. */
export const sharePath = (token: string): string => `/s/${token}`

/** What is asked for a link: the chat as it is to be shown, which is what its owner looked at. */
export interface ShareChat {
  readonly chat: ReadableChat
  readonly shown: ShownParts
  readonly days: ShareDays
}

export interface SharesResponse {
  readonly shares: readonly SharedLink[]
  /** Who can read by a link: nobody new, whoever may see this server's pages, or everybody. */
  readonly readers: 'off' | 'on' | 'public'
}
