import { type ActiveRun, type ClientState, type ConversationState, emptyView } from './state'
import { newChatDraft } from '../outbox/drafts'

type Open = Pick<ClientState, 'open' | 'shownId'>

/** The conversation that is shown. */
export const viewOf = ({ open, shownId }: Open): ConversationState => open.get(shownId) ?? emptyView

/** The open conversation that contains a message. */
export function holderOf({ open }: Pick<Open, 'open'>, messageId: string): ConversationState | undefined {
  for (const view of open.values()) if (view.tree.has(messageId)) return view
  return undefined
}

/** Shows a conversation. The previous one is set aside, or forgotten if nothing needs it. */
export function showConversation<State extends Open>(state: State, view: ConversationState): State {
  const left = viewOf(state)
  const aside = left.id === view.id ? state : withView(state, setAside(left), view.id)
  return { ...aside, shownId: view.id, open: new Map(aside.open).set(view.id, view) }
}

/** Stores the changed conversation; one that is not shown is forgotten once nothing needs it. */
export function withView<State extends Open>(state: State, view: ConversationState, shownId = state.shownId): State {
  if (state.open.get(view.id) === view) return state
  const open = new Map(state.open)
  if (view.id === shownId || view.held > 0 || view.live.size > 0) open.set(view.id, view)
  else open.delete(view.id)
  return { ...state, open }
}

/** Its reply is no longer followed, and its messages may change unseen: it is loaded again when it is shown. */
export const setAside = (view: ConversationState): ConversationState => ({
  ...view,
  phase: 'loading',
  run: null,
  sides: [],
  sending: false,
  problem: null,
})

/** A message was sent in this chat that the server does not have yet. */
export const isWaitingIn = (outbox: ClientState['outbox'], conversationId: string): boolean =>
  outbox.some(({ entry }) => entry.conversationId === conversationId)

/** The name under which the open chat's draft is kept: one for all new chats, until a message was sent in one. */
export function draftIdOf(state: Pick<ClientState, 'open' | 'shownId' | 'outbox'>): string {
  const { id, phase, sending, conversation } = viewOf(state)
  if (conversation?.temporary) return id
  return phase === 'new' && !sending && !isWaitingIn(state.outbox, id) ? newChatDraft : id
}

/** All replies that are being written in a chat. */
export const runsOf = ({ run, sides }: Pick<ConversationState, 'run' | 'sides'>): readonly ActiveRun[] =>
  run ? [run, ...sides] : []

/** The user views another branch than the one with this message, or with the message that it answers. */
export function isOnOtherBranch({ tree, path }: Pick<ConversationState, 'tree' | 'path'>, id: string | null): boolean {
  const row = id === null ? undefined : tree.get(id)
  return row !== undefined && !path.some((one) => one.id === row.id || one.id === row.parentId)
}

type LastCalls = Pick<ConversationState, 'path' | 'live'>

function workOnLast({ path, live }: LastCalls) {
  const start = `${path.at(-1)?.id ?? ''}:`
  return [...live].flatMap(([key, call]) =>
    key.startsWith(start) && call.problem === null && !call.review && !call.leftOver ? call : [],
  )
}

/** Calls of the last message run in this tab, wait in it for their turn, or have ended and are being stored. */
export const worksOnLast = (view: LastCalls): boolean => workOnLast(view).length > 0

/**
 * A call of an earlier message has ended and its outcome is being stored: the user sent a message while it ran. Its card
 * already shows the outcome, so the next message is to include it.
 */
export const storesLate = ({ path, live }: LastCalls): boolean => {
  const last = `${path.at(-1)?.id ?? ''}:`
  return [...live].some(
    ([key, { outcome, problem, review, leftOver }]) =>
      !key.startsWith(last) && outcome !== null && problem === null && !review && !leftOver,
  )
}

/** What remains of that work is storing that the user stopped it: the cards already say so. */
export function storesStop(view: LastCalls): boolean {
  const work = workOnLast(view)
  return work.length > 0 && work.every(({ outcome }) => outcome?.status === 'cancelled')
}

/** The user pressed Run on a call of the last message, and the server has not answered yet. */
const asksToRun = ({ path, live, calls }: LastCalls & Pick<ConversationState, 'calls'>): boolean => {
  const last = `${path.at(-1)?.id ?? ''}:`
  return [...live].some(
    ([key, { queued, outcome, problem, attempt }]) =>
      key.startsWith(last) && !queued && outcome === null && problem === null && calls.get(key)?.attempt !== attempt,
  )
}

/**
 * The state of a call changes in a moment. A message that is sent before would tell the model something else than the
 * card shows: that a call was skipped whose Run was pressed, or nothing of an outcome that is shown.
 */
export const isSettling = (view: Parameters<typeof asksToRun>[0]): boolean =>
  asksToRun(view) || storesStop(view) || storesLate(view)

/** Reports whether this page followed a reply while it was written; only such a reply may run calls automatically. */
export function watchReplies(store: {
  readonly getState: () => ClientState
  readonly subscribe: (listener: () => void) => () => void
}): (replyId: string) => boolean {
  const watched = new Set<string>()
  store.subscribe(() => {
    for (const { replyId } of runsOf(viewOf(store.getState()))) watched.add(replyId)
  })
  return (replyId) => watched.has(replyId)
}
