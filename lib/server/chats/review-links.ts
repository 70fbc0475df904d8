import { createHash, randomBytes } from 'node:crypto'
import { AppError } from '@/lib/base/app-error'
import { makeError } from '@/lib/i18n/t'
import type { ReviewKey } from '@/lib/server/store/ports/call-store'
import type {
  CallLink,
  CallLinkAnswer,
  LinkAnswered,
  LinkView,
  NewCallLink,
  NewCopyLink,
} from '@/lib/shared/conversation/wire/call-requests'
import type { ChatServicePorts } from '../stored-chats/chat-service-ports'

/*
 * A link for a reviewer is a row with the hash of its secret, the account that may open it, and the owner's own link.
 * For that account it shows and decides the same, and returns nothing else of the chat. Removing the row ends it.
 */

/** The signed-in account that opens or makes a link. */
interface LinkAccount {
  readonly id: string
  readonly name: string
}

/** Who answers by such a link. */
export type Review = ReviewKey & Pick<LinkAccount, 'name'>

export interface CallLinkService {
  /** Creates the link to a waiting call. `account`: the owner's; a link for a reviewer needs one. */
  openLook(
    owner: string,
    conversationId: string,
    request: NewCallLink | NewCopyLink,
    account?: LinkAccount,
  ): Promise<CallLink>
  look(owner: string, token: string, account?: LinkAccount): Promise<LinkView>
  /** `granted` false: it was already decided. */
  answerLook(owner: string, token: string, answer: CallLinkAnswer, account?: LinkAccount): Promise<LinkAnswered>
  /** Ends a link for a reviewer. Ending it again is no error. */
  endLook(owner: string, token: string): Promise<void>
}

/** The owner's links. */
interface OwnLinks {
  readonly open: (owner: string, conversationId: string, request: NewCallLink | NewCopyLink) => Promise<CallLink>
  readonly look: (owner: string, token: string) => Promise<LinkView>
  readonly answer: (owner: string, token: string, answer: CallLinkAnswer, review?: Review) => Promise<LinkAnswered>
}

/** Begins the secret of a reviewer's link. The owner's links contain `~`. */
const sign = 'review.'
const isOfReviewer = (token: string): boolean => token.startsWith(sign) && !token.includes('~')

/** A plain hash is enough for an unguessable secret. */
const hashOf = (token: string): string => createHash('sha256').update(`review ${token}`).digest('hex')

const noSuchReview = () => makeError('not-found', 'chat.review.none')

/** The owner's sentence names what only the owner can do. */
function asReviewError(error: unknown): never {
  throw error instanceof AppError && error.code === 'not-found' ? noSuchReview() : error
}

/** Adds links for reviewers to the owner's links. */
export function withReviewers(
  { store, clock, findReviewer }: Pick<ChatServicePorts, 'store' | 'clock' | 'findReviewer'>,
  own: OwnLinks,
): CallLinkService {
  /** Throws AppError: `forbidden` if the operator allows no reviewers, `not-found` if this account may not open it. */
  async function open(token: string, account: LinkAccount | undefined) {
    if (!findReviewer) throw makeError('forbidden', 'chat.review.off')
    if (!account) throw noSuchReview()
    const review: Review = { tokenHash: hashOf(token), reviewer: account.id, name: account.name }
    const link = await store.readReview(review, clock.now())
    if (!link) throw noSuchReview()
    return { review, link }
  }

  return {
    async openLook(owner, conversationId, { reviewer: address, ...request }, account) {
      if (address === undefined) return own.open(owner, conversationId, request)
      if (!findReviewer) throw makeError('forbidden', 'chat.review.off')
      if (!account) throw makeError('signed-out', 'accounts.sign-in-needed')
      // Whether there is such an account must not be visible: the link is made in either case, in the same steps.
      const reviewer = (await findReviewer(address)) ?? ''
      if (reviewer === account.id) throw makeError('bad-request', 'chat.review.self')
      const link = await own.open(owner, conversationId, request)
      const review = `${sign}${randomBytes(24).toString('base64url')}`
      const target = 'copyId' in request ? request.copyId : `${request.messageId} ${request.slot}`
      const { token, expiresAt } = link
      await store.addReview(owner, { conversationId, target, tokenHash: hashOf(review), token, reviewer, expiresAt })
      return { ...link, review }
    },

    async look(owner, token, account) {
      if (!isOfReviewer(token)) return own.look(owner, token)
      const { link } = await open(token, account)
      const view = await own.look(link.owner, link.token).catch(asReviewError)
      return { ...view, chat: { id: null, title: view.chat.title } }
    },

    async answerLook(owner, token, answer, account) {
      if (!isOfReviewer(token)) return own.answer(owner, token, answer)
      const { link, review } = await open(token, account)
      const { granted, decision } = await own.answer(link.owner, link.token, answer, review).catch(asReviewError)
      return { granted, decision }
    },

    async endLook(owner, token) {
      await store.removeReview(owner, hashOf(token))
    },
  }
}
